#include "spelling.h"

#include <algorithm>
#include <vector>

namespace onnx_lower {

std::size_t edit_distance(std::string_view left, std::string_view right, std::size_t limit) {
  const std::size_t longer = std::max(left.size(), right.size());
  if (longer - std::min(left.size(), right.size()) > limit) return limit + 1;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  // By rows: the distances of the first i letters of the one word to each beginning of the other.
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    std::size_t least = row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(left[i - 1]) == lower(right[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row.back(), limit + 1);
}

}  // namespace onnx_lower

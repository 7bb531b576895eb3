// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "spelling.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

// Which letters a word has, as bits; several share one.
uint64_t letters(std::string_view word) {
  uint64_t set = 0;
  for (const char c : word) set |= uint64_t{1} << (static_cast<unsigned char>(lower_case(c)) % 64);
  return set;
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right, std::size_t limit) {
  const std::size_t longer = std::max(left.size(), right.size());
  if (longer - std::min(left.size(), right.size()) > limit) return limit + 1;
  // Each letter that only one of the words has takes an edit; most pairs of words differ in many.
  const uint64_t left_letters = letters(left);
  const uint64_t right_letters = letters(right);
  const auto count = [](uint64_t set) { return static_cast<std::size_t>(std::popcount(set)); };
  if (std::max(count(left_letters & ~right_letters), count(right_letters & ~left_letters)) > limit) return limit + 1;
  // Row i of the table has the distances of the first i letters of one word to each beginning
  // of the other.
  std::vector<std::size_t> row(right.size() + 1), above(row), two_above(row);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    std::size_t least = row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const bool same = lower_case(left[i - 1]) == lower_case(right[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower_case(left[i - 1]) == lower_case(right[j - 2]) &&
                           lower_case(left[i - 2]) == lower_case(right[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
  }
  return std::min(row.back(), limit + 1);
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names, std::size_t limit) {
  std::string nearest;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name, limit);
    if (distance > limit || (distance == limit && !nearest.empty())) continue;
    nearest = name;
    limit = distance;
  }
  return nearest;
}

}  // namespace onnx_lower

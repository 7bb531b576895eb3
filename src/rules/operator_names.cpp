// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/operator_names.h"

#include <algorithm>
#include <cstddef>

#include "domain.h"

namespace onnx_lower {

std::optional<std::vector<OperatorName>> operator_names(std::string_view list) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<OperatorName> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string_view name = list.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t first = name.find_first_not_of(blanks);
    if (first == std::string_view::npos) return std::nullopt;
    name = name.substr(first, name.find_last_not_of(blanks) + 1 - first);
    const std::size_t colons = name.rfind("::");
    if (name.find_first_of(blanks) != std::string_view::npos || colons == std::string_view::npos || colons == 0 ||
        colons + 2 == name.size())
      return std::nullopt;
    names.push_back({normalized_domain(name.substr(0, colons)), name.substr(colons + 2)});
  }
  return names;
}

}  // namespace onnx_lower

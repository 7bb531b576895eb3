// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/operator_names.h"

#include <algorithm>
#include <cstddef>

#include "domain.h"
#include "source_text/characters.h"

namespace onnx_lower {

std::optional<std::vector<OperatorName>> operator_names(std::string_view list) {
  std::vector<OperatorName> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = trimmed(list.substr(begin, end - begin));
    begin = end + 1;
    const std::size_t colons = name.rfind("::");
    if (name.find_first_of(blanks) != std::string_view::npos || colons == std::string_view::npos || colons == 0 ||
        colons + 2 == name.size())
      return std::nullopt;
    names.push_back({normalized_domain(name.substr(0, colons)), name.substr(colons + 2)});
  }
  return names;
}

}  // namespace onnx_lower

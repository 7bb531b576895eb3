// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/form_positions.h"

#include <algorithm>

namespace onnx_lower {

std::size_t offset_in_condition(std::string_view text, std::size_t where, std::size_t offset) {
  std::size_t at = where + 1;
  for (; offset > 0 && at < text.size(); --offset) at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

}  // namespace onnx_lower

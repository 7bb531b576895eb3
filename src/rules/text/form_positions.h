// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where the parts of a form stand in the text of its rule.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

// Offsets in the text.
struct FormPositions {
  std::size_t begin = 0;  // of the block of conditions, or of the header
  std::size_t name = 0;
  std::size_t end = 0;
  std::size_t where = 0;  // of the condition's opening quote
  // Of the opening quotes of the form's definitions, one for each, though one text may hold
  // several.
  std::vector<std::size_t> definitions;
  struct Attribute {
    std::string name;
    std::size_t offset;
  };
  std::vector<Attribute> attributes;  // in the order of the text
  std::vector<std::size_t> inputs;    // as many as the function's
  std::vector<std::size_t> outputs;
  std::vector<std::size_t> nodes;
};

// The offset in a rule's text of a character of a condition, whose opening quote is at `where`.
std::size_t offset_in_condition(std::string_view text, std::size_t where, std::size_t offset);

}  // namespace onnx_lower

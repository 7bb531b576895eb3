// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a rule's function holds together by itself: what its body names is there. Needs no
// schema, so it is cheap enough to be done whenever a user's rule is read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rules/text/form.h"
#include "rules/text/rule_text.h"

namespace onnx_lower {

struct StructureFault {
  enum class Place { function, node, input, output, attribute, where, definition };

  Place place = Place::function;
  // of the node (an outermost one), formal input, formal output or, in the text's order, attribute;
  int index = 0;
  // the offset in the condition, or in the definition's text
  std::string attribute;  // its name; that of the definition
  std::string message;
  std::size_t definition = 0;  // the number of the definition
};

// What makes the function meaningless: names used before they are defined or defined twice, outputs
// without a definition, references to attributes that are not declared, a condition or definition
// on names that are not there, operators of a domain that is not imported.
std::vector<StructureFault> structure_faults(const Form& form);

// What is declared or computed and has no use.
std::vector<StructureFault> unused_parts(const Form& form);

// The places ("input 0" …) of the inputs that the body uses.
std::vector<std::string> used_inputs(const Form& form);

// Where in the text of the form the fault is.
std::size_t offset_of(const StructureFault& fault, std::string_view text, const FormPositions& positions);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Checks that a rule's function holds together by itself: all names that its body uses are defined.
// No schema is needed, so that this is cheap enough for every user's rule that is read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rules/text/form.h"
#include "rules/text/form_positions.h"

namespace onnx_lower {

struct StructureFault {
  enum class Place { function, node, input, output, attribute, where, definition };

  Place place = Place::function;
  // Which outermost node, formal input, formal output or attribute (in the order of the text). For
  // a condition or a definition: the offset in its text.
  int index = 0;
  std::string attribute;  // the name of the attribute or of the definition
  std::string message;
  std::size_t definition = 0;  // the number of the definition
};

// What makes the function meaningless: names that are used before they are defined or defined
// twice, outputs without a definition, references to attributes that are not declared, conditions
// or definitions with unknown names, operators of a domain that is not imported.
std::vector<StructureFault> structure_faults(const Form& form);

// Parts that are declared or computed, and not used.
std::vector<StructureFault> unused_parts(const Form& form);

// The inputs that the body uses, by position: "input 0" ….
std::vector<std::string> used_inputs(const Form& form);

// The offset of the fault in the text of the rule.
std::size_t offset_of(const StructureFault& fault, std::string_view text, const FormPositions& positions);

}  // namespace onnx_lower

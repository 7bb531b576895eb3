// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Checks that a rule's body is valid ONNX: every operator exists and has what its schema asks for,
// and the types fit together.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/text/form.h"

namespace onnx_lower {

struct BodyFault {
  int node = 0;  // index among the outermost nodes; -1: none in particular
  std::string message;
};

using HasRule = std::function<bool(std::string_view domain, std::string_view op_type)>;

// Checks the body at the opset of its header, and at every other opset at which its nodes have
// other versions with the same meaning. The inputs get the types of lint_types.h, and each
// attribute its default or some value of its type. The form must have no structure faults.
std::vector<BodyFault> body_faults(const Form& form, const HasRule& has_rule);

}  // namespace onnx_lower

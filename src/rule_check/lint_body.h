// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a rule's body is good ONNX: every operator exists and has what its schema asks for, and
// the types fit together.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/text/form.h"

namespace onnx_lower {

struct BodyFault {
  int node = 0;  // of the outermost nodes; -1: none in particular
  std::string message;
};

using HasRule = std::function<bool(std::string_view domain, std::string_view op_type)>;

// The body is checked at the opset of its header, and at every other at which its nodes are of
// other versions that mean the same, as it reads when its inputs have the types of lint_types.h,
// and each attribute its default or some value of its type. Needs a form without structure faults.
std::vector<BodyFault> body_faults(const Form& form, const HasRule& has_rule);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operator of the rule language that is one of two values, as a condition on the call says.
#pragma once

#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/text/form.h"
#include "rules/text/rule_text.h"

namespace onnx_lower {

bool is_choice(const onnx::NodeProto& node);

// Whether it has its one attribute, two inputs and one output.
bool is_complete_choice(const onnx::NodeProto& node);

// What a form with `y = onnx_lower.Choose <where = "…"> (a, b)` is short for: a form for calls of
// which the condition holds, in which y is a, and one for those of which it does not, in which y is
// b. Neither computes what only the other one needs. Choices by the same condition are one. Throws
// ConditionError.
std::vector<std::pair<Form, FormPositions>> write_out_choices(Form form, FormPositions positions);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operator onnx_lower.Choose of the rule language, which is one of two values, depending on a
// condition on the call.
#pragma once

#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/text/form.h"
#include "rules/text/form_positions.h"

namespace onnx_lower {

bool is_choice(const onnx::NodeProto& node);

// Whether the node has one attribute, two inputs and one output, as the operator must.
bool is_complete_choice(const onnx::NodeProto& node);

// Expands a form with `y = onnx_lower.Choose <where = "…"> (a, b)` into a form for calls for which
// the condition holds, in which y is a, and one for those for which it does not, in which y is b.
// Neither form computes what only the other one needs. Choices by the same condition are decided
// together. Throws ConditionError.
std::vector<std::pair<Form, FormPositions>> write_out_choices(Form form, FormPositions positions);

}  // namespace onnx_lower

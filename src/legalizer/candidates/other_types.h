// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A standard node said by the same operator of other element types, between casts: where a version
// of the operator, or a runtime, lacks the type.
#pragma once

#include <optional>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/native_rule.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// Functions that compute what the node does, the nearest types first; each casts the inputs of one
// type variable, and the outputs back. `version`: what the node is, written at `opset`. With
// `narrowing`, types that do not hold all values, too; such a function has an assumption.
std::vector<onnx::FunctionProto> through_other_types(const CallSite& call, const OperatorVersion& version,
                                                     int64_t opset, bool narrowing);

// A function that computes in float what the node does in float16 or bfloat16: each of its results
// is rounded once, as the operator's definition has it. Nothing where the node has neither type, or
// both.
std::optional<onnx::FunctionProto> half_through_float(const CallSite& call, const OperatorVersion& version,
                                                      int64_t opset);

}  // namespace onnx_lower

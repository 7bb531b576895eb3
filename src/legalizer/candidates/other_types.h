// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lowers a standard node to the same operator of other element types, between casts: for a type
// that a version of the operator, or a runtime, lacks.
#pragma once

#include <optional>
#include <vector>

#include "onnx/onnx_pb.h"
#include "rules/native_rule.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// Functions that compute what the node does, each in one other type: the nearest type first. A
// function casts the inputs of one type variable, and casts the outputs back. `version`: of the
// node's operator; `opset`: for which the node is written. With `narrowing`, there are functions of
// types that do not hold all values of the node's, too; these carry an assumption for the user.
std::vector<onnx::FunctionProto> through_other_types(const CallSite& call, const OperatorVersion& version,
                                                     int64_t opset, bool narrowing);

// A function that computes in float what the node does in float16 or bfloat16: each of its
// results is rounded once, as the operator's definition has it. nullopt where the node has
// neither type, or both.
std::optional<onnx::FunctionProto> half_through_float(const CallSite& call, const OperatorVersion& version,
                                                      int64_t opset);

}  // namespace onnx_lower

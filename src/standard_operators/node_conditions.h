// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the documentation of an operator requires of its nodes and its schema does not express: the
// values that an attribute may have, and conditions on several attributes, inputs and outputs. A
// further condition is one more line in one of the tables.
#pragma once

#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// Why the node does not fulfil a condition, as a clause; empty when it fulfils all. An attribute
// that refers to an attribute of a function may have any value.
std::string condition_problem(const onnx::NodeProto& node, const OperatorVersion& version);

// Whether the numbers that the attribute holds are such as its operator takes.
bool is_within_limits(const onnx::AttributeProto& attribute, const OperatorVersion& version);

// Whether the tables have a condition on this attribute, or on several parts of a node of this
// operator.
bool has_limits(const OperatorVersion& version, std::string_view attribute);
bool has_conditions(const OperatorVersion& version);

}  // namespace onnx_lower

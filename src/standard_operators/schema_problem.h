// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Checks a node against the schema of its operator.
#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// What is wrong with the node by its schema, as a clause: too many or too few inputs or outputs, an
// attribute that the operator does not have, or a value that an attribute must not have; empty when
// nothing is. An attribute that refers to an attribute of a function counts as present, with an
// allowed value. The element types of inputs are not checked.
std::string schema_problem(const onnx::NodeProto& node, const OperatorVersion& version);

}  // namespace onnx_lower

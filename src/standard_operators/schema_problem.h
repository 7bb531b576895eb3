// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a node is as the schema of its operator wants it.
#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// What the schema says against the node, as a clause: too many or too few inputs or outputs, an
// attribute that the operator does not have, or with a value that it does not take; empty when it
// says nothing. An attribute that refers to one of a function counts as given, with a value that
// fits. The element types of inputs are not known here.
std::string schema_problem(const onnx::NodeProto& node, const OperatorVersion& version);

}  // namespace onnx_lower

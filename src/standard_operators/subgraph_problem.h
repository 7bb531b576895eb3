// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether the graphs of a node fit the node.
#pragma once

#include <string>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// What speaks against the graphs that an If, a Loop, a Scan or a SequenceMap holds, as a clause: they take or make another number of values than the node needs.
// Empty when nothing does, and for all other operators.
std::string subgraph_problem(const onnx::NodeProto& node, const OperatorVersion& version);

}  // namespace onnx_lower

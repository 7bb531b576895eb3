// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a version of an operator does not take yet, though a later one does: sequences and
// optionals, other ranks, branches of different shapes.
#pragma once

#include <string>

#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"
#include "standard_operators/operator_table.h"
#include "types/type_inference.h"

namespace onnx_lower {

// What speaks against the node, which is written for another version of its operator, in the
// version `here`; a clause, empty where nothing does. ONNX has to define the operator.
std::string version_problem(const Node& node, const OperatorVersion& here, const GraphScope& scope,
                            TypeInference& types);

// What speaks against an input that is a sequence or an optional, and so has no element type; a
// clause, empty where nothing does.
std::string container_problem(const Node& node, const OperatorVersion& version, const GraphScope& scope);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of a rule's body that need not be made, since the value that they would make exists
// already, and those that a simpler node can stand for.
#pragma once

#include <vector>

#include "legalizer/body/body_instance.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"

namespace onnx_lower {

// Whether its operator is one whose output may be there already.
bool may_fold(OperatorRole role);

// The value that the node's output already is; absent_value when the node has to be made. So is
// what a cast to its own type gives, and what a SequenceAt with a constant position takes out of a
// list that a SequenceConstruct makes: rules may be for lists of tensors of different types, which
// PyTorch has and ONNX has not. Such a list is added to `lists`.
ValueId folded(const BodyInstance& body, const BodyTemplate::Node& node, const GraphScope& scope,
               std::vector<ValueId>& lists);

// A CastLike that a rule made, as a Cast to the type that is known of its second input; the node
// itself when it is none, or when that is not known.
// Source: ONNX Runtime computes what a Cast makes of constants before it runs the model, and what a
// CastLike makes each time.
const Node& as_cast(const Node& node, const GraphScope& scope, Model& model);

}  // namespace onnx_lower

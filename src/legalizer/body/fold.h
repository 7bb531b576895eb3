// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Folds nodes of a rule's body: a node need not be made when the value that it would make exists
// already, or when a simpler node can take its place.
#pragma once

#include <vector>

#include "legalizer/body/body_instance.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"

namespace onnx_lower {

// Whether a node of this role may make a value that exists already.
bool may_fold(OperatorRole role);

// The value that already is what the node would make; absent_value when the node has to be made.
// Such a value is the input of a cast to its own type, and the tensor that a SequenceAt with a
// constant position takes out of the list of a SequenceConstruct: this lets rules use lists of
// tensors of different types, which PyTorch has and ONNX has not. The list is added to `lists`.
ValueId folded(const BodyInstance& body, const BodyTemplate::Node& node, const GraphScope& scope,
               std::vector<ValueId>& lists);

// A CastLike that a rule made, as a Cast to the type of its second input; the node itself when it
// is no CastLike, or that type is not known.
// Source: ONNX Runtime computes a Cast of constants before it runs the model, and a
// CastLike each time.
const Node& as_cast(const Node& node, const GraphScope& scope, Model& model);
// The CastLike as a Cast to this type.
const Node& as_cast_to(int type, const Node& node, Model& model);

}  // namespace onnx_lower

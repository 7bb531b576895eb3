// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a valid model is: checked of the input before, and of the output after.
#pragma once

#include <vector>

#include "model_file/model.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// By OperatorId: with which version's schema the nodes of a model were compared; null for operators
// without one.
using ComparedVersions = std::vector<const OperatorVersion*>;

// Every name is defined once in its scope and before it is used, graph outputs exist, the imported
// versions exist, and the standard operators' nodes have the inputs, outputs and attributes that
// their schemas ask for. Nodes that the schemas do not know pass. Throws InvalidInput, which names
// the file and the node. `compared`: what the check gave before the model was changed; then only
// the nodes are compared that are new, or whose schema is another one now.
ComparedVersions check_model(const Model& model, const ComparedVersions& compared = {});

}  // namespace onnx_lower

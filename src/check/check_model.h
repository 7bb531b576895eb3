// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Checks that a model is valid: the input before it is lowered, and the output after.
#pragma once

#include <vector>

#include "model_file/model.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// By OperatorId: the version with whose schema the nodes of a model were compared; null for
// operators without a schema.
using ComparedVersions = std::vector<const OperatorVersion*>;

// Checks that every name is defined once in its scope and before it is used, that graph outputs
// exist, that the imported versions exist, and that nodes of standard operators have the inputs,
// outputs and attributes that their schemas ask for. Nodes of operators without a schema are
// accepted. Throws InvalidInput, which names the file and the node. `compared` is what this
// function returned before the model was changed: if it is given, only nodes that are new, or have
// another schema now, are compared with their schemas.
ComparedVersions check_model(const Model& model, const ComparedVersions& compared = {});

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bounds of the elements of a value, whatever the model's inputs are, by how the value is made:
// shapes and absolute values, say, are not negative.
#pragma once

#include "legalizer/knowledge/constant_elements.h"
#include "legalizer/scope/graph_scope.h"

namespace onnx_lower {

// The bounds of a value that the scope sees: infinities where they are not known, or where too many
// nodes would have to be looked at.
Bounds bounds_of(const GraphScope& scope, ValueId value);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Between which numbers a value's elements lie, whatever the model's inputs are: how it is made
// tells, as that shapes and absolute values are not negative.
#pragma once

#include "legalizer/scope/constant_elements.h"
#include "legalizer/scope/graph_scope.h"

namespace onnx_lower {

// Of a value that the scope sees. No bounds where they are not known, or where too many nodes would
// have to be looked at.
Bounds bounds_of(const GraphScope& scope, ValueId value);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds out what the shape of an operator's first output is by asking the inference function of its
// schema.
#pragma once

#include <string>

#include "onnx/defs/schema.h"

namespace onnx_lower {

// The name of a ShapeRule: what the answers to all questions fit. An operator with an attribute
// that its inference function reads has none, since another value could change the answers.
std::string name_of_shape_rule(const onnx::OpSchema& schema);

}  // namespace onnx_lower

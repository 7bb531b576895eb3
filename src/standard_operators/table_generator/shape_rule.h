// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds out how the shape of an operator's first output follows from its inputs, by asking the
// inference function of its schema.
#pragma once

#include <string>

#include "onnx/defs/schema.h"

namespace onnx_lower {

// The name of the ShapeRule that all answers of the inference function agree with. An operator
// whose inference function reads an attribute has none, since another value of the attribute could
// change the answers.
std::string name_of_shape_rule(const onnx::OpSchema& schema);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Values by number, since a model holds hundreds of thousands of names.
#pragma once

#include <cstdint>

namespace onnx_lower {

// Stands for a value's name, anywhere in the model: the same name in two scopes has the same id. 0
// stands for "", an absent input or output.
using ValueId = uint32_t;
constexpr ValueId absent_value = 0;

}  // namespace onnx_lower

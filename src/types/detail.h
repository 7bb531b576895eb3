// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How much of a value's type is asked for.
#pragma once

namespace onnx_lower {

// Each detail includes those before it; the less is asked for, the cheaper. `elements` are those of
// an integer scalar or vector, which can decide the shapes of other values.
enum class Detail { nothing, element_type, shape, dimensions, elements };

}  // namespace onnx_lower

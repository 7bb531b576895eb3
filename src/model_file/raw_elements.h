// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The elements of a tensor as raw data, whichever of protobuf's fields they lie in.
#pragma once

#include <optional>

#include "model_file/model.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {

// Of a tensor whose data lie in the model. A range of the tensor where that is possible, else bytes
// that `model` keeps; nothing for strings, unknown types, parts of tensors (segments), and 4-bit
// and 2-bit elements that have a number each, as older writers wrote them.
std::optional<Bytes> raw_elements(Model& model, Bytes tensor, const TensorFacts& facts);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The elements of a tensor as raw data, whichever field of TensorProto holds them.
#pragma once

#include <optional>

#include "model_file/model.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {

// The elements of a tensor that has no external data, as raw data: a range of the tensor where that
// is possible, else bytes that `model` keeps. Nothing for strings, unknown types, parts of tensors
// (segments), and 4-bit and 2-bit elements that older writers stored one per number.
std::optional<Bytes> raw_elements(Model& model, Bytes tensor, const TensorFacts& facts);

}  // namespace onnx_lower

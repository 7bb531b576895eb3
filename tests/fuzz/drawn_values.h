// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Types and tensors, drawn at random.
#pragma once

#include "fuzz/random.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower::fuzz {

// Mostly one of those that tools meet most.
int some_element_type(Random& random);

// A tensor type; its shape says little, much or nothing.
void set_type(onnx::TypeProto& type, int element_type, Random& random);

// A small tensor whose numbers are as well indices, axes, shapes and limits.
void fill_tensor(onnx::TensorProto& tensor, int element_type, Random& random);

}  // namespace onnx_lower::fuzz

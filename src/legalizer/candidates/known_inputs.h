// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lowers a node to the same node with constants in place of inputs that are known before the model
// runs: for a runtime that wants a constant there, and does not find out itself what the nodes in
// front of the input make.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "constant_folding/known_tensor.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A function of the node in which constants stand for these of its inputs, by their places.
// `imports`: the opsets that the node is written for, of ai.onnx and of the node's own domain.
onnx::FunctionProto with_constants(const onnx::NodeProto& node, const std::map<int, KnownTensor>& inputs,
                                   const std::map<std::string, int64_t>& imports);

}  // namespace onnx_lower

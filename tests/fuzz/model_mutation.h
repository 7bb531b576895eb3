// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Changes of models: those that keep a model valid, and so grow models out of nothing, those that
// break a rule of ONNX, and those of the bytes.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/random.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower::fuzz {

// Of the bytes of a model. What is no message of protobuf is replaced by a drawn model.
std::string mutated_model(std::string_view input, std::string_view other, Random& random);

// A model that onnx's checker takes, drawn from the schemas of the standard operators and the
// signatures of the rules: nodes are added one by one, and some of them moved into functions and
// branches.
onnx::ModelProto drawn_model(Random& random);

}  // namespace onnx_lower::fuzz

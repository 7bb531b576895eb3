// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How many numbers a node multiplies by weights or by other values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Whether multiplications of nodes of this operator of ai.onnx are counted.
bool multiplies(std::string_view op_type);

using Dims = std::optional<std::vector<int64_t>>;  // nothing: not all are known

// Of a node of such an operator in one run; nothing where a shape that it follows from is not
// known. `input` and `output`: the dimensions of the node's values, by index.
std::optional<uint64_t> multiplications_of(const onnx::NodeProto& node, const std::function<Dims(int)>& input,
                                           const std::function<Dims(int)>& output);

}  // namespace onnx_lower

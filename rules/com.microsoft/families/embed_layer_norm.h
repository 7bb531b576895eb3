// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// output = LayerNormalization(word + position + segment embedding): what EmbedLayerNormalization
// and its quantized form share.
#pragma once

#include "rules/body.h"

namespace onnx_lower {

// Appends `mask_name`: the number of ones in each row of `mask`, or zeros where there is no mask.
inline void append_mask_index(Body& body, const std::string& ids, const std::string& mask, const std::string& name) {
  if (mask.empty()) {
    const std::string batch = body.dim_list(ids, 0);
    body(name + "_wide", "ConstantOfShape", {batch}, {{"value", tensor_of(onnx::TensorProto::INT64, {1}, Ints{0})}});
    body(name, "CastLike", {name + "_wide", ids});
    return;
  }
  const std::string one = body.constant(name + "_one", tensor_of(onnx::TensorProto::INT32, {}, Ints{1}));
  body(name + "_ones", "Equal", {mask, one});
  body(name + "_counted", "Cast", {name + "_ones"}, {{"to", onnx::TensorProto::INT32}});
  const std::string axis = body.ints({1}, "axis");
  body(name, "ReduceSum", {name + "_counted", axis}, {{"keepdims", 0}});
}

// The first rows of a table of positions: as many as the ids are long.
inline std::string first_positions(Body& body, const std::string& table, const std::string& ids) {
  const std::string zero = body.ints({0}, "zero");
  const std::string length = body.dim_list(ids, 1);
  body("position_rows", "Slice", {table, zero, length, zero});
  return "position_rows";
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What ExtendedQuantizeLinear and ExtendedDequantizeLinear share.
#pragma once

#include "rules/body.h"

namespace onnx_lower {

// Whether there is one scale, for the whole tensor; else there is one for each index along an axis.
inline bool is_per_tensor(const CallSite& site) { return site.need_rank(1) == 0 || site.dim(1, 0) == 1; }

// Gives a scale or zero point in the shape by which it is broadcast along its axis.
inline std::string broadcast_parameter(const CallSite& site, Body& body, const std::string& value) {
  if (is_per_tensor(site)) return body.reshape(value, Ints{}, value + "_number");
  const int rank = site.need_rank(0);
  Ints shape(static_cast<std::size_t>(rank - need_axis(site.attribute_int("axis", 1), rank)), 1);
  shape[0] = -1;
  return body.reshape(value, shape, value + "_along_axis");
}

// Whether the operators of com.microsoft, which compute the same, take the type.
inline bool is_narrow_integer(int type) {
  using onnx::TensorProto;
  return type == TensorProto::INT8 || type == TensorProto::UINT8 || type == TensorProto::INT16 ||
         type == TensorProto::UINT16;
}

inline bool is_number(int type) {
  using onnx::TensorProto;
  return is_narrow_integer(type) || type == TensorProto::INT32 || type == TensorProto::FLOAT16 ||
         type == TensorProto::BFLOAT16;
}

// Appends the node of com.microsoft that computes the same for integers of 8 and 16 bits.
inline void append_narrow(const CallSite& site, Body& body, std::string_view op_type, const Values& inputs) {
  body.import("com.microsoft", 1);
  if (is_per_tensor(site)) {
    body("y", op_type, inputs);
  } else {
    body("y", op_type, inputs, {{"axis", need_axis(site.attribute_int("axis", 1), site.need_rank(0))}});
  }
}

}  // namespace onnx_lower

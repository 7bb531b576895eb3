// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What QuantizeLinear and DequantizeLinear of com.microsoft share.
#pragma once

#include "rules/body.h"

namespace onnx_lower {

// A scale or zero point in the shape that goes along the node's axis: (C, 1, …) instead of (C).
// Without the attribute that is axis 1, as in ONNX Runtime's kernel, though the operator's schema
// has no default.
inline std::string along_axis(const CallSite& site, Body& body, int input, const std::string& value) {
  if (site.rank(input) == 0) return value;
  const int rank = site.need_rank(0);
  if (rank == 0) return body.reshape(value, {}, value + "_number");
  const bool is_given = site.attribute("axis") != nullptr;
  // For a tensor without axis 1 the kernel takes nothing but one number.
  if (!is_given && rank == 1) return value;
  const int64_t axis = need_axis(site.attribute_int("axis", 1), rank);
  std::vector<int64_t> shape(rank - axis, 1);
  shape[0] = -1;
  return body.reshape(value, shape, value + "_along_axis");
}

}  // namespace onnx_lower

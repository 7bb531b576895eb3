// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What QuantizeLinear and DequantizeLinear of com.microsoft share.
#pragma once

#include "rules/body.h"

namespace onnx_lower {

// A scale or zero point, so shaped that it goes along `axis` of a tensor of the rank: from the shape (C) to (C, 1 …).
inline std::string along_axis(const CallSite& site, Body& body, const std::string& value) {
  if (site.attribute("axis") == nullptr) return value;
  const std::optional<int> parameter_rank = site.rank(1);
  if (parameter_rank == 0) return value;
  const int rank = site.need_rank(0);
  const int64_t axis = need_axis(site.attribute_int("axis", 0), rank);
  std::vector<int64_t> shape(rank - axis, 1);
  shape[0] = -1;
  return body.reshape(value, shape, value + "_along_axis");
}

}  // namespace onnx_lower

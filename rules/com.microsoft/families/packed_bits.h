// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Unpacks integers of 2, 4 or 8 bits from bytes, the lowest bits first.
#pragma once

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {

// `bytes` is a uint8 tensor of shape (rows, groups, count). Gives an int32 tensor of shape
// (rows, groups, 8 / bits * count).
inline std::string unpacked_bits(Body& body, const std::string& bytes, int64_t bits, int64_t rows, int64_t groups,
                                 const std::string& stem) {
  const std::string wide = stem + "_wide";
  body(wide, "Cast", {bytes}, {{"to", 6}});
  if (bits == 8) return wide;
  const std::string base = body.fresh(stem + "_base");
  body.constant(base, tensor_of(onnx::TensorProto::INT32, {}, Ints{1 << bits}));
  std::string rest = wide;
  std::vector<std::string> parts;
  for (int64_t part = 0; part < 8 / bits; ++part) {
    std::string digit = rest;
    if (part + 1 < 8 / bits) {
      const std::string higher = fmt::format("{}_above_{}", stem, part);
      const std::string shifted = fmt::format("{}_high_{}", stem, part);
      digit = fmt::format("{}_digit_{}", stem, part);
      body(higher, "Div", {rest, base});
      body(shifted, "Mul", {higher, base});
      body(digit, "Sub", {rest, shifted});
      rest = higher;
    }
    parts.push_back(body.unsqueeze(digit, {3}, digit + "_column"));
  }
  body(stem + "_digits", "Concat", parts, {{"axis", 3}});
  return body.reshape(stem + "_digits", {rows, groups, -1}, stem + "_unpacked");
}

}  // namespace onnx_lower

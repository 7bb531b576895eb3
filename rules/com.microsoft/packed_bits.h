// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Unpacks integers of 2, 4 or 8 bits from bytes, the lowest bits first.
#pragma once

#include "body_text.h"

namespace onnx_lower {

// `bytes`: a uint8 tensor of rank 3, (rows, groups, bytes). Gives int32 of shape (rows, groups, 8 / bits * bytes).
inline std::string unpacked_bits(BodyText& body, const std::string& bytes, int64_t bits, int64_t rows, int64_t groups,
                                 const std::string& stem) {
  const std::string wide = stem + "_wide";
  body.line("{} = Cast <to = 6> ({})", wide, bytes);
  if (bits == 8) return wide;
  const std::string base = body.fresh(stem + "_base");
  body.line("{} = Constant <value = int32 {{{}}}> ()", base, 1 << bits);
  std::string rest = wide;
  std::vector<std::string> parts;
  for (int64_t part = 0; part < 8 / bits; ++part) {
    std::string digit = rest;
    if (part + 1 < 8 / bits) {
      const std::string higher = fmt::format("{}_above_{}", stem, part);
      const std::string shifted = fmt::format("{}_high_{}", stem, part);
      digit = fmt::format("{}_digit_{}", stem, part);
      body.line("{} = Div ({}, {})", higher, rest, base);
      body.line("{} = Mul ({}, {})", shifted, higher, base);
      body.line("{} = Sub ({}, {})", digit, rest, shifted);
      rest = higher;
    }
    parts.push_back(body.unsqueeze(digit, {3}, digit + "_column"));
  }
  body.line("{}_digits = Concat <axis = 3> ({})", stem, fmt::join(parts, ", "));
  return body.reshape(stem + "_digits", {rows, groups, -1}, stem + "_unpacked");
}

}  // namespace onnx_lower

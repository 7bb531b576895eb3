// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rotary position embedding of heads: pairs of components, which are half the size apart or next to
// each other, are rotated by an angle:
//
//     (x, y) becomes (x * cos - y * sin, x * sin + y * cos)
#pragma once

#include <limits>

#include "rules/body.h"

namespace onnx_lower {

// `heads` is (B, N, S, H), `size` H, and `cosines` and `sines` broadcast to (B, 1, S, width / 2),
// or heads and sequence stand in the other order in all three. Components from `width` on (0:
// none) stay.
inline std::string rotated(Body& body, const std::string& heads, const std::string& cosines, const std::string& sines,
                           std::optional<int64_t> size, int64_t width, bool interleaved, const std::string& stem) {
  constexpr int64_t end = std::numeric_limits<int64_t>::max();
  const std::string turned = width == 0 ? heads : body.slice(heads, 0, width, 3, stem + "_turned");
  const int64_t turned_size = width == 0 ? told_size(size) : width;
  const int64_t half = turned_size < 0 ? -1 : turned_size / 2;
  const auto name = [&](const char* what) { return stem + "_" + what; };
  if (interleaved) {
    const std::string pairs = name("pairs");
    const std::string shape = body.ints({0, 0, 0, half, 2}, name("pairs_shape"));
    body(pairs, "Reshape", {turned, shape});
    body(name("real"), "Gather", {pairs, body.scalar(0, "which")}, {{"axis", 4}});
    body(name("imaginary"), "Gather", {pairs, body.scalar(1, "which")}, {{"axis", 4}});
  } else {
    const std::string halves = body.reshape(turned, {0, 0, 0, 2, half}, name("halves"));
    body(name("real"), "Gather", {halves, body.scalar(0, "which")}, {{"axis", 3}});
    body(name("imaginary"), "Gather", {halves, body.scalar(1, "which")}, {{"axis", 3}});
  }
  body(name("rc"), "Mul", {name("real"), cosines});
  body(name("is"), "Mul", {name("imaginary"), sines});
  body(name("new_real"), "Sub", {name("rc"), name("is")});
  body(name("rs"), "Mul", {name("real"), sines});
  body(name("ic"), "Mul", {name("imaginary"), cosines});
  body(name("new_imaginary"), "Add", {name("rs"), name("ic")});
  std::string result = name("rotated");
  if (interleaved) {
    const std::string real = body.unsqueeze(name("new_real"), {4}, name("real_column"));
    const std::string imaginary = body.unsqueeze(name("new_imaginary"), {4}, name("imaginary_column"));
    body(name("new_pairs"), "Concat", {real, imaginary}, {{"axis", 4}});
    result = body.reshape(name("new_pairs"), {0, 0, 0, turned_size}, result);
  } else {
    body(result, "Concat", {name("new_real"), name("new_imaginary")}, {{"axis", 3}});
  }
  if (width == 0) return result;
  const std::string kept = body.slice(heads, width, end, 3, name("kept"));
  body(name("all"), "Concat", {result, kept}, {{"axis", 3}});
  return name("all");
}

// Rows of a cache (max_S, width / 2) at positions (B or 1, S), with a dimension of 1 for the heads
// at `heads_axis`: (B or 1, 1, S, width / 2) for 1.
inline std::string cache_rows(Body& body, const std::string& cache, const std::string& positions,
                              const std::string& stem, int64_t heads_axis = 1) {
  const std::string rows = body.made(stem, "Gather", {cache, positions}, {{"axis", 0}});
  return body.unsqueeze(rows, {heads_axis}, stem);
}

}  // namespace onnx_lower

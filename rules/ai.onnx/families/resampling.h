// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What Resize does along one axis whose sizes are known before the model runs, by the formulas of
// ONNX Resize-19: the places are computed in single precision, as ONNX Runtime computes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

struct AxisResampling {
  std::string mode, coordinates, nearest_mode;
  bool antialias = false, exclude_outside = false;
  float cubic_coeff_a = -0.75F;
  int64_t in = 0, out = 0;
  float scale = 1;

  // Where the place `number` of the result lies in the input. A region of the input is not read.
  float place(int64_t number) const {
    const auto x = static_cast<float>(number), size = static_cast<float>(in), result = static_cast<float>(out);
    if (coordinates == "asymmetric") return x / scale;
    if (coordinates == "align_corners") return x * (size - 1) / (out == 1 ? 1 : result - 1);
    if (coordinates == "tf_half_pixel_for_nn") return scale == 1 ? x : (x + 0.5F) / scale;
    const float plain = (x + 0.5F) / scale - 0.5F;
    if (coordinates == "pytorch_half_pixel") return out == 1 ? 0 : plain;
    if (coordinates != "half_pixel_symmetric") return plain;
    const float adjustment = result / (scale * size);
    return size * 0.5F * (1 - adjustment) + plain;
  }

  // For each place of the result, which element of the input mode nearest takes.
  Ints nearest() const {
    Ints elements = numbers_below(out);
    for (int64_t& element : elements) {
      const float at = place(element);
      const float whole = nearest_mode == "floor"               ? std::floor(at)
                          : nearest_mode == "ceil"              ? std::ceil(at)
                          : nearest_mode == "round_prefer_ceil" ? std::floor(at + 0.5F)
                                                                : std::ceil(at - 0.5F);
      element = static_cast<int64_t>(std::clamp(whole, 0.0F, static_cast<float>(in - 1)));
    }
    return elements;
  }

  // For each place of the result, how much of each element of the input modes linear and cubic
  // take: what lies outside counts as the element at the border, or, with exclude_outside, not at
  // all.
  std::vector<double> weights() const {
    const double shrinking = antialias ? std::min(scale, 1.0F) : 1.0;
    const auto reach = static_cast<int64_t>(std::ceil((mode == "cubic" ? 3 : 2) / shrinking));
    std::vector<double> all(static_cast<size_t>(in * out));
    for (int64_t row = 0; row < out; ++row) {
      double* const of_row = all.data() + row * in;
      const double at = place(row);
      const auto middle = static_cast<int64_t>(std::floor(at));
      double total = 0;
      for (int64_t source = middle - reach; source <= middle + reach; ++source) {
        const int64_t inner = std::clamp<int64_t>(source, 0, in - 1);
        if (exclude_outside && inner != source) continue;
        const double weight = kernel(std::abs(at - static_cast<double>(source)) * shrinking);
        of_row[inner] += weight;
        total += weight;
      }
      if (!exclude_outside && !antialias) continue;
      for (int64_t element = 0; element < in; ++element) of_row[element] /= total;
    }
    return all;
  }

 private:
  // 1 - d if linear, else the cubic kernel of Keys.
  double kernel(double d) const {
    if (mode == "linear") return std::max(0.0, 1 - d);
    const double a = cubic_coeff_a;
    if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? (((d - 5) * d + 8) * d - 4) * a : 0;
  }
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "rules/body.h"

// ONNX's Resize has the attribute antialias, too. But ONNX Runtime rounds the weights that it
// makes, and OpenVINO ignores the attribute.
namespace onnx_lower::native_rules::aten_antialiased {
namespace {

enum Input { kImage, kSize, kAlignCorners, kFactors };

// `weight` gives the weight of a pixel at a distance from the new one; from the distance `support`
// on it is 0.
struct Filter {
  double support;
  double (*weight)(double distance);
};

double linear(double distance) { return std::max(0.0, 1 - distance); }

// Keys' cubic with the slope -0.5, as Pillow has it.
double cubic(double distance) {
  if (distance < 1) return (1.5 * distance - 2.5) * distance * distance + 1;
  if (distance < 2) return ((-0.5 * distance + 2.5) * distance - 4) * distance + 2;
  return 0;
}

// The weight of each of `size` pixels in each of the new ones: (new_size, size).
std::vector<double> weights_of(int64_t size, int64_t new_size, double step, const Filter& filter) {
  std::vector<double> all(list_size({new_size, size}));
  const double width = std::max(step, 1.0);
  for (int64_t place = 0; place < new_size; ++place) {
    const double centre = (static_cast<double>(place) + 0.5) * step;
    const auto first = std::max<int64_t>(static_cast<int64_t>(centre - filter.support * width + 0.5), 0);
    const auto end = std::min(static_cast<int64_t>(centre + filter.support * width + 0.5), size);
    double* const row = &all[static_cast<std::size_t>(place * size)];
    double sum = 0;
    for (int64_t pixel = first; pixel < end; ++pixel)
      sum += row[pixel] = filter.weight(std::abs(static_cast<double>(pixel) + 0.5 - centre) / width);
    for (int64_t pixel = first; pixel < end; ++pixel) row[pixel] /= sum;
  }
  return all;
}

Lowering lower(const CallSite& site, const char* op_type, const Filter& filter) {
  if (site.need_number(kAlignCorners, 0) != 0) return Declined{"it does not know align_corners"};
  std::vector<double> factors;
  Ints sizes;
  if (site.has_input(kFactors)) {
    factors = site.constant_floats(kFactors).value_or(std::vector<double>{});
    if (factors.size() != 2) return Declined{"input 3 (scale_factors) is not two constant numbers"};
  } else {
    sizes = site.need_sizes(kSize, 2);
  }
  const auto real =
      site.need_dtype(kImage) == onnx::TensorProto::DOUBLE ? onnx::TensorProto::DOUBLE : onnx::TensorProto::FLOAT;
  Body body("aten", op_type, {"input", "output_size", "align_corners", "scale_factors"}, {"output"}, 18);
  body("image", "Cast", {"input"}, {{"to", real}});
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
    const int64_t size = site.need_dim(kImage, static_cast<int>(axis) + 2);
    const auto length = static_cast<double>(size);
    const int64_t new_size = factors.empty() ? sizes[axis] : static_cast<int64_t>(std::floor(length * factors[axis]));
    if (size < 1 || new_size < 1) return Declined{"the image has no pixels, before or after"};
    const double step = factors.empty() ? length / static_cast<double>(new_size) : 1 / factors[axis];
    const std::vector<double> weights = weights_of(size, new_size, step, filter);
    body.constant(axis == 0 ? "rows" : "columns", tensor_of(real, {new_size, size}, weights));
  }
  body("new_rows", "MatMul", {"rows", "image"});
  body("resized", "MatMul", {"new_rows", body.transpose("columns", {1, 0}, "turned_columns")});
  body("output", "CastLike", {"resized", "input"});
  return body.function();
}

const NativeRule rules[] = {
    {.domain = "aten",
     .op_type = "_upsample_bilinear2d_aa",
     .summary = "Images of another size, with what lies between the new pixels taken into account.",
     .source = "aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
               "scale_factors) -> Tensor",
     .inputs = "input, output_size, align_corners, scale_factors",
     .needed_inputs = 1,
     .most_inputs = 4,
     .lower =
         [](const CallSite& site) {
           return lower(site, "_upsample_bilinear2d_aa", {1, linear});
         }},
    {.domain = "aten",
     .op_type = "_upsample_bicubic2d_aa",
     .summary = "Images of another size, by a cubic filter of what lies between the new pixels.",
     .source = "aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? "
               "scale_factors) -> Tensor",
     .inputs = "input, output_size, align_corners, scale_factors",
     .needed_inputs = 1,
     .most_inputs = 4,
     .lower = [](const CallSite& site) {
       return lower(site, "_upsample_bicubic2d_aa", {2, cubic});
     }}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_antialiased

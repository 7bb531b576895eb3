// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The convolution of integers less their zero points, by convolutions of floats: no runtime has one of int32. A sum of integers is exact in float as long as it
// stays below 2^24. A difference of bytes has 8 digits and a sign, so that the sum of a few hundred products is. Where a filter has more cells, its numbers are split into
// halves of four digits, and the image's too where that does not suffice; the sums of the halves' products are put together as int32.
#include <fmt/format.h>

#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ConvInteger {
namespace {

constexpr int kFilter = 1, kImageZero = 2, kFilterZero = 3;
constexpr int64_t exact_in_float = int64_t{1} << 24, largest_code = 255, half_range = 16;

// How many products are added up for each element of the result.
int64_t cells_of_filter(const CallSite& site) {
  int64_t cells = site.need_dim(kFilter, 1);
  for (int axis = 2; axis < site.need_rank(kFilter); ++axis) {
    cells *= site.need_dim(kFilter, axis);
    if (cells > exact_in_float) decline("its filter has more cells than sums in float are exact for");
  }
  return cells;
}

std::string codes(Body& body, const std::string& value, const std::string& zero, const Ints& zero_shape) {
  body(value + "_code", "Cast", {value}, {{"to", onnx::TensorProto::FLOAT}});
  if (zero.empty()) return value + "_code";
  const std::string code = body.made(zero + "_code", "Cast", {zero}, {{"to", onnx::TensorProto::FLOAT}});
  return body.made(value + "_steps", "Sub", {value + "_code", body.reshape(code, zero_shape, zero)});
}

// The value, or its upper and lower half.
std::vector<std::string> parts(Body& body, const std::string& value, bool splits) {
  if (!splits) return {value};
  const std::string range = body.float_scalar(half_range, "range");
  const std::string upper = body.made("upper", "Floor", {body.made("quotient", "Div", {value, range})});
  return {upper, body.made("lower", "Sub", {value, body.made("multiple", "Mul", {upper, range})})};
}

Lowering lower(const CallSite& site) {
  const int64_t cells = cells_of_filter(site);
  const bool splits_filter = cells * largest_code * largest_code > exact_in_float;
  const bool splits_image = splits_filter && cells * largest_code * half_range > exact_in_float;
  if (cells * half_range * half_range > exact_in_float)
    return Declined{fmt::format("its filter has {} cells, and sums in float are exact for {} at most", cells,
                                exact_in_float / (half_range * half_range))};
  Body body("ai.onnx", "ConvInteger", first_names({"x", "w", "x_zero_point", "w_zero_point"}, site.input_count()),
            {"y"}, 9);
  // A zero point of each output stands in a list, which is one of the filter's first axis.
  Ints by_output(static_cast<size_t>(site.need_rank(kFilter)), 1);
  by_output.front() = -1;
  const std::string image = codes(body, "x", site.has_input(kImageZero) ? "x_zero_point" : "", {});
  const std::string filter = codes(body, "w", site.has_input(kFilterZero) ? "w_zero_point" : "", by_output);
  const std::vector<std::string> image_parts = parts(body, image, splits_image);
  const std::vector<std::string> filter_parts = parts(body, filter, splits_filter);

  // What the upper halves give comes first, and weighs as much more as a half has numbers.
  const auto join = [&body](const std::string& upper, const std::string& lower) {
    if (upper.empty()) return lower;
    const std::string range =
        body.constant(body.fresh("range"), tensor_of(onnx::TensorProto::INT32, {}, Ints{half_range}));
    return body.made("sum", "Add", {body.made("weighted", "Mul", {upper, range}), lower});
  };
  std::string whole;
  for (const std::string& image_part : image_parts) {
    std::string of_part;
    for (const std::string& filter_part : filter_parts) {
      const std::string sums = body.made("sums", "Conv", {image_part, filter_part});
      of_part = join(of_part, body.made("integers", "Cast", {sums}, {{"to", onnx::TensorProto::INT32}}));
    }
    whole = join(whole, of_part);
  }
  body("y", "Identity", {whole});
  body.copy_attributes(site, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}, "Conv");
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ConvInteger",
                      .summary = "The convolution of integers, by exact sums in float.",
                      .source = "ONNX ConvInteger-10",
                      .attributes = "auto_pad, dilations, group, kernel_shape, pads, strides",
                      .inputs = "x, w, x_zero_point, w_zero_point",
                      .needed_inputs = 2,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ConvInteger

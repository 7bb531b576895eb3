// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "integer_products.h"

#include <fmt/format.h>

#include <vector>

namespace onnx_lower {
namespace {

constexpr int64_t exact_in_float = int64_t{1} << 24, largest_code = 255, half_range = 16;

// The value, or its upper and lower half.
std::vector<std::string> parts(Body& body, const std::string& value, bool splits) {
  if (!splits) return {value};
  const std::string range = body.float_scalar(half_range, "range");
  const std::string upper = body.made("upper", "Floor", {body.made("quotient", "Div", {value, range})});
  return {upper, body.made("lower", "Sub", {value, body.made("multiple", "Mul", {upper, range})})};
}

// upper * 16 + lower, the sums that the halves give; only `lower` where nothing was split.
std::string join(Body& body, const std::string& upper, const std::string& lower) {
  if (upper.empty()) return lower;
  const std::string range =
      body.constant(body.fresh("range"), tensor_of(onnx::TensorProto::INT32, {}, Ints{half_range}));
  return body.made("sum", "Add", {body.made("weighted", "Mul", {upper, range}), lower});
}

}  // namespace

void expect_exact_sums(int64_t products) {
  constexpr int64_t most = exact_in_float / (half_range * half_range);
  if (products > most)
    decline(fmt::format("it adds up {} products, and sums in float are exact for {} at most", products, most));
}

std::string steps_from_zero(Body& body, const std::string& value, const std::string& zero, const Ints& zero_shape) {
  body(value + "_code", "Cast", {value}, {{"to", onnx::TensorProto::FLOAT}});
  if (zero.empty()) return value + "_code";
  const std::string code = body.made(zero + "_code", "Cast", {zero}, {{"to", onnx::TensorProto::FLOAT}});
  return body.made(value + "_steps", "Sub", {value + "_code", body.reshape(code, zero_shape, zero)});
}

std::string sums_of_products(Body& body, const std::string& image, const std::string& filter, int64_t products,
                             const std::function<std::string(const std::string&, const std::string&)>& multiply) {
  expect_exact_sums(products);
  const bool splits_filter = products * largest_code * largest_code > exact_in_float;
  const bool splits_image = splits_filter && products * largest_code * half_range > exact_in_float;
  const std::vector<std::string> image_parts = parts(body, image, splits_image);
  const std::vector<std::string> filter_parts = parts(body, filter, splits_filter);
  std::string whole;
  for (const std::string& image_part : image_parts) {
    std::string of_part;
    for (const std::string& filter_part : filter_parts) {
      const std::string integers =
          body.made("integers", "Cast", {multiply(image_part, filter_part)}, {{"to", onnx::TensorProto::INT32}});
      of_part = join(body, of_part, integers);
    }
    whole = join(body, whole, of_part);
  }
  return whole;
}

}  // namespace onnx_lower

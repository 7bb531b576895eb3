// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "families/blocks.h"
#include "families/short_float.h"

namespace onnx_lower::native_rules::com_amd_quark_BFPQuantizeDequantize {
namespace {

struct Format {
  int digits;  // bits of an element besides its sign
  int64_t mode;
  int64_t sub_block_size;
  int64_t sub_block_shift;
};

// y = clip(rounded(x / scale)) * scale, where the greatest number of a block decides on its scale.
std::string in_blocks(Body& body, const Format& format) {
  const std::string scale = power_of_greatest(body, "finite", 1 - format.digits, "scale");
  body("steps", "Div", {"finite", scale});
  const std::string whole = rounded_by(body, "steps", format.mode);
  const double most = std::ldexp(1.0, format.digits) - 1.0;
  body("code", "Clip", {whole, body.float_scalar(-most, "low"), body.float_scalar(most, "high")});
  return body("quantized", "Mul", {"code", scale});
}

// The same as in_blocks(), but without the clip: where rounding gives a number of too many digits,
// the scale of the block is doubled.
std::string in_growing_blocks(Body& body, const Format& format) {
  const std::string scale = power_of_greatest(body, "finite", 1 - format.digits, "first_scale");
  body("first_steps", "Div", {"finite", scale});
  const std::string first = rounded_by(body, "first_steps", format.mode);
  body("first_high", "ReduceMax", {first}, {{"axes", Ints{-1}}, {"keepdims", 1}});
  body("first_low", "ReduceMin", {first}, {{"axes", Ints{-1}}, {"keepdims", 1}});
  body("is_too_high", "GreaterOrEqual", {"first_high", body.float_scalar(128.0, "too_high")});
  body("is_too_low", "Less", {"first_low", body.float_scalar(-128.0, "lowest")});
  body("grows", "Or", {"is_too_high", "is_too_low"});
  body("next_scale", "Mul", {scale, body.float_scalar(2.0, "two")});
  body("scale", "Where", {"grows", "next_scale", scale});
  body("steps", "Div", {"finite", "scale"});
  return body("quantized", "Mul", {rounded_by(body, "steps", format.mode), "scale"});
}

// The same as in_blocks(), but each part of a block has a scale of its own, which is that of the
// block or, where all numbers of the part are small, less: its exponent is by at most
// 2^sub_block_shift - 1 lower. A block with a number that is not finite becomes NaN.
std::string in_sub_blocks(Body& body, const Format& format, int64_t block_size) {
  const std::string block_power = power_of_greatest(body, "finite", 0, "block_power");
  body("parts", "Reshape",
       {"finite", body.ints({-1, block_size / format.sub_block_size, format.sub_block_size}, "parts_shape")});
  const std::string part_power = power_of_greatest(body, "parts", 0, "part_power");
  const std::string middle = body.unsqueeze(block_power, {2}, "middle_power");
  const std::string most_shift = body.float_scalar(std::ldexp(1.0, 1 - (1 << format.sub_block_shift)), "most_shift");
  body("least_power", "Mul", {middle, most_shift});
  body("power", "Max", {part_power, "least_power"});
  body("distance", "Mul", {"power", body.float_scalar(std::ldexp(1.0, 1 - format.digits), "digit")});
  body("scale", "Max", {"distance", body.float_scalar(std::ldexp(1.0, -126), "least_distance")});
  body("steps", "Div", {"parts", "scale"});
  const std::string whole = rounded_by(body, "steps", format.mode);
  const double most = std::ldexp(1.0, format.digits) - 1.0;
  body("code", "Clip", {whole, body.float_scalar(-most, "low"), body.float_scalar(most, "high")});
  body("scaled", "Mul", {"code", "scale"});
  body("numbers", "Reshape", {"scaled", body.ints({-1, block_size}, "numbers_shape")});
  body("finite_numbers", "Cast", {"is_finite"}, {{"to", onnx::TensorProto::FLOAT}});
  body("least_finite", "ReduceMin", {"finite_numbers"}, {{"axes", Ints{-1}}, {"keepdims", 1}});
  body("is_block_finite", "Cast", {"least_finite"}, {{"to", onnx::TensorProto::BOOL}});
  const std::string nan = body.float_scalar(std::numeric_limits<double>::quiet_NaN(), "nan");
  return body("quantized", "Where", {"is_block_finite", "numbers", nan});
}

Lowering lower(const CallSite& site) {
  const std::string method =
      site.need_choice("bfp_method", "to_bfp", {"to_bfp", "to_bfp_prime", "to_bfp_prime_shared"});
  const int64_t bits = site.attribute_int("bit_width", 16);
  if (bits < 10 || bits > 32) return Declined{"attribute 'bit_width' is not between 10 and 32"};
  const int64_t block_size = site.attribute_int("block_size", 8);
  const Format format{.digits = static_cast<int>(bits - 9),
                      .mode = rounding_mode_of(site),
                      .sub_block_size = site.attribute_int("sub_block_size", 2),
                      .sub_block_shift = site.attribute_int("sub_block_shift_bits", 1)};
  const bool has_parts = method != "to_bfp";
  if (has_parts && (format.sub_block_size < 1 || block_size % format.sub_block_size != 0))
    return Declined{"attribute 'block_size' is no multiple of 'sub_block_size'"};
  if (has_parts && (format.sub_block_shift < 0 || format.sub_block_shift > 6))
    return Declined{"attribute 'sub_block_shift_bits' is not between 0 and 6"};
  const bool grows = site.attribute_int("use_compiler_version_cpu_kernel", 0) != 0;

  Body body("com.amd.quark", "BFPQuantizeDequantize", {"x"}, {"y"}, 15);
  body.import("onnx_lower", 1);
  std::string x = body("x_float", "Cast", {"x"}, {{"to", onnx::TensorProto::FLOAT}});
  if (site.attribute_int("convert_to_bfloat_before_bfp", 0) != 0) x = as_bfloat16(body, x);
  append_in_blocks(site, body, x, 8, has_parts, [&] {
    if (has_parts) return in_sub_blocks(body, format, block_size);
    return grows ? in_growing_blocks(body, format) : in_blocks(body, format);
  });
  return body.function();
}

const NativeRule rule{.domain = "com.amd.quark",
                      .op_type = "BFPQuantizeDequantize",
                      .summary = "What remains of numbers in blocks that share an exponent.",
                      .source = "BFPFixNeuronKernel of AMD's Quark, which was Vitis AI's quantizer",
                      .also = "com.vai.quantize::BFPFixNeuron",
                      .attributes =
                          "axis, bfp_method, bit_width, block_size, convert_to_bfloat_before_bfp, rounding_mode, "
                          "sub_block_shift_bits, sub_block_size, use_compiler_version_cpu_kernel",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_amd_quark_BFPQuantizeDequantize

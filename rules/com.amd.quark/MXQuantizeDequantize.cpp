// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/blocks.h"

namespace onnx_lower::native_rules::com_amd_quark_MXQuantizeDequantize {
namespace {

// A floating-point type of few bits: how many bits its fraction has, the least and the greatest
// exponent of its normal numbers, and the greatest number.
struct Format {
  std::string_view name;
  int fraction_bits;
  int least_exponent;
  int greatest_exponent;
  double greatest;
};

constexpr Format formats[] = {{"fp8_e5m2", 2, -14, 15, 57344.0},
                              {"fp8_e4m3", 3, -6, 8, 448.0},
                              {"fp6_e3m2", 2, -2, 4, 28.0},
                              {"fp6_e2m3", 3, 0, 2, 7.5},
                              {"fp4_e2m1", 1, 0, 2, 6.0}};

// y = clip(rounded(x / scale * 64), -128, 127) / 64 * scale, where scale is a power of two.
std::string integers(Body& body, int64_t mode) {
  const std::string scale = power_of_greatest(body, "finite", 0, "scale");
  const std::string steps_of_one = body.float_scalar(64.0, "steps_of_one");
  body("share", "Div", {"finite", scale});
  body("steps", "Mul", {"share", steps_of_one});
  const std::string whole = rounded_by(body, "steps", mode);
  body("code", "Clip", {whole, body.float_scalar(-128.0, "low"), body.float_scalar(127.0, "high")});
  body("element", "Div", {"code", steps_of_one});
  return body("quantized", "Mul", {"element", scale});
}

// y = format(x / scale) * scale, where format() rounds to a number of the type and scale is a power
// of two.
std::string numbers(Body& body, const Format& format) {
  const std::string scale = power_of_greatest(body, "finite", -format.greatest_exponent, "scale");
  body("share", "Div", {"finite", scale});
  body("element", "onnx_lower.FloatOfBits",
       {"share", body.float_scalar(std::ldexp(1.0, -format.fraction_bits), "gap"),
        body.float_scalar(std::ldexp(1.0, format.least_exponent), "least"),
        body.float_scalar(format.greatest, "greatest")});
  return body("quantized", "Mul", {"element", scale});
}

Lowering lower(const CallSite& site) {
  const std::string type =
      site.need_choice("element_dtype", "int8", {"int8", "fp8_e5m2", "fp8_e4m3", "fp6_e3m2", "fp6_e2m3", "fp4_e2m1"});
  const int64_t mode = rounding_mode_of(site);
  Body body("com.amd.quark", "MXQuantizeDequantize", {"x"}, {"y"}, 15);
  body.import("onnx_lower", 1);
  body("x_float", "Cast", {"x"}, {{"to", onnx::TensorProto::FLOAT}});
  append_in_blocks(site, body, "x_float", 32, false, [&] {
    for (const Format& format : formats) {
      if (format.name == type) return numbers(body, format);
    }
    return integers(body, mode);
  });
  return body.function();
}

const NativeRule rule{
    .domain = "com.amd.quark",
    .op_type = "MXQuantizeDequantize",
    .summary =
        "What remains of numbers in a microscaling format: blocks of small numbers, each block with a power of two.",
    .source = "MXFixNeuronKernel of AMD's Quark, which was Vitis AI's quantizer",
    .also = "com.vai.quantize::MXFixNeuron",
    .attributes = "axis, block_size, element_dtype, rounding_mode",
    .needed_inputs = 1,
    .most_inputs = 1,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_amd_quark_MXQuantizeDequantize

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/quantization.h"

namespace onnx_lower::native_rules::com_amd_quark_ExtendedDequantizeLinear {
namespace {

using onnx::TensorProto;

// y = (x - x_zero_point) * x_scale
Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(2);
  if (!is_number(type)) return Declined{"the type of x_zero_point is none that it takes"};
  Body body("com.amd.quark", "ExtendedDequantizeLinear", {"x", "x_scale", "x_zero_point"}, {"y"}, 15);
  if (is_narrow_integer(type)) {
    append_narrow(site, body, "com.microsoft.DequantizeLinear", {"x", "x_scale", "x_zero_point"});
    return body.function();
  }
  const std::string scale = broadcast_parameter(site, body, "x_scale");
  const std::string zero = broadcast_parameter(site, body, "x_zero_point");
  // Differences of 32-bit integers are exact in double.
  const bool whole = type == TensorProto::INT32;
  const int wide = whole ? TensorProto::DOUBLE : TensorProto::FLOAT;
  body("wide", "Cast", {"x"}, {{"to", wide}});
  body("zero", "Cast", {zero}, {{"to", wide}});
  body("difference", "Sub", {"wide", "zero"});
  body("number", "Cast", {"difference"}, {{"to", TensorProto::FLOAT}});
  body("y", "Mul", {"number", scale});
  return body.function();
}

const NativeRule rule{.domain = "com.amd.quark",
                      .op_type = "ExtendedDequantizeLinear",
                      .summary = "(x - zero point) * scale, of integers and of floating-point numbers of 16 bits.",
                      .source = "KernelCustomDequantizeLinear of AMD's Quark, which was Vitis AI's quantizer",
                      .also = "com.vai.quantize::VitisDequantizeLinear",
                      .attributes = "axis",
                      .inputs = "x, x_scale, x_zero_point",
                      .needed_inputs = 3,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_amd_quark_ExtendedDequantizeLinear

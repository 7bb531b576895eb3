// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/quantization.h"
#include "families/short_float.h"

namespace onnx_lower::native_rules::com_amd_quark_ExtendedQuantizeLinear {
namespace {

using onnx::TensorProto;

// y = x / y_scale + y_zero_point; for integers y = saturate(round(x / y_scale) + y_zero_point).
Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(2);
  if (!is_number(type)) return Declined{"the type of y_zero_point is none that it quantizes to"};
  Body body("com.amd.quark", "ExtendedQuantizeLinear", {"x", "y_scale", "y_zero_point"}, {"y"}, 15);
  if (is_narrow_integer(type)) {
    append_narrow(site, body, "com.microsoft.QuantizeLinear", {"x", "y_scale", "y_zero_point"});
    return body.function();
  }
  const std::string scale = broadcast_parameter(site, body, "y_scale");
  const std::string zero = broadcast_parameter(site, body, "y_zero_point");
  body("quotient", "Div", {"x", scale});
  if (type == TensorProto::BFLOAT16 || type == TensorProto::FLOAT16) {
    body("zero", "Cast", {zero}, {{"to", TensorProto::FLOAT}});
    body("sum", "Add", {"quotient", "zero"});
    const std::string rounded = type == TensorProto::FLOAT16 ? as_float16(body, "sum") : as_bfloat16(body, "sum");
    body("y", "Cast", {rounded}, {{"to", type}});
    return body.function();
  }
  // Sums of 32-bit integers are exact in double. Some runtimes compute in float instead of double,
  // and float does not have the greatest of these integers, so that one is chosen by a Where.
  body("whole", "Round", {"quotient"});
  body("wide", "Cast", {"whole"}, {{"to", TensorProto::DOUBLE}});
  body("zero", "Cast", {zero}, {{"to", TensorProto::DOUBLE}});
  body("sum", "Add", {"wide", "zero"});
  body.constant("low", tensor_of(TensorProto::DOUBLE, {}, std::vector<double>{-2147483648.0}));
  body.constant("high", tensor_of(TensorProto::DOUBLE, {}, std::vector<double>{2147483647.0}));
  body("is_in_range", "Less", {"sum", "high"});
  body("below_high", "Where", {"is_in_range", "sum", "low"});
  body("saturated", "Max", {"below_high", "low"});
  body("number", "Cast", {"saturated"}, {{"to", type}});
  body.constant("greatest", tensor_of(TensorProto::INT32, {}, Ints{2147483647}));
  body("y", "Where", {"is_in_range", "number", "greatest"});
  return body.function();
}

const NativeRule rule{
    .domain = "com.amd.quark",
    .op_type = "ExtendedQuantizeLinear",
    .summary = "x / scale + zero point in the type of the zero point: rounded and saturated where that is an integer.",
    .source = "KernelCustomQuantizeLinear of AMD's Quark, which was Vitis AI's quantizer",
    .also = "com.vai.quantize::VitisQuantizeLinear",
    .attributes = "axis",
    .inputs = "x, y_scale, y_zero_point",
    .needed_inputs = 3,
    .most_inputs = 3,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_amd_quark_ExtendedQuantizeLinear

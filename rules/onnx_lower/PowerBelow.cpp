// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>

#include "rules/body.h"

namespace onnx_lower::native_rules::onnx_lower_PowerBelow {
namespace {

// Least and greatest exponent of a normal float.
constexpr int least = -126;
constexpr int greatest = 127;

// power = 2^floor(log2(x)), from a table of the powers. Logarithms are not exact, so the number is
// compared with the power that they say, which may be one too high or too low.
Lowering lower(const CallSite& site) {
  if (site.need_dtype(0) != onnx::TensorProto::FLOAT) return Declined{"x is not float"};
  std::vector<double> powers;
  for (int exponent = least; exponent <= greatest; ++exponent) powers.push_back(std::ldexp(1.0, exponent));
  const int64_t count = static_cast<int64_t>(powers.size());

  Body body("onnx_lower", "PowerBelow", {"x"}, first_names({"power", "exponent"}, site.output_count()), 15);
  const std::string table = body.constant("powers", tensor_of(onnx::TensorProto::FLOAT, {count}, powers));
  const std::string one = body.float_scalar(1.0, "one");
  const std::string least_power = body.float_scalar(powers.front(), "least_power");
  body("is_finite", "LessOrEqual", {"x", body.float_scalar(std::numeric_limits<float>::max(), "most")});
  body("finite", "Where", {"is_finite", "x", one});
  body("normal", "Max", {"finite", least_power});
  body("log", "Log", {"normal"});
  body("log2", "Div", {"log", body.float_scalar(std::log(2.0), "log_of_two")});
  body("floor", "Floor", {"log2"});
  body("place", "Sub", {"floor", body.float_scalar(least, "least")});
  body("place_in_table", "Clip",
       {"place", body.float_scalar(0.0, "first"), body.float_scalar(greatest - least, "last")});
  body("index", "Cast", {"place_in_table"}, {{"to", onnx::TensorProto::INT64}});
  body("near", "Gather", {table, "index"}, {{"axis", 0}});
  body("is_above", "Less", {"normal", "near"});
  body("half", "Div", {"normal", body.float_scalar(2.0, "two")});
  body("is_far_below", "LessOrEqual", {"near", "half"});
  body("steps_down", "Cast", {"is_above"}, {{"to", onnx::TensorProto::INT64}});
  body("steps_up", "Cast", {"is_far_below"}, {{"to", onnx::TensorProto::INT64}});
  body("lower_index", "Sub", {"index", "steps_down"});
  body("right_index", "Add", {"lower_index", "steps_up"});
  body("power", "Gather", {table, "right_index"}, {{"axis", 0}});
  if (site.output_count() > 1) {
    body("right_place", "Cast", {"right_index"}, {{"to", onnx::TensorProto::FLOAT}});
    body("exponent", "Add", {"right_place", body.float_scalar(least, "least")});
  }
  return body.function();
}

const NativeRule rule{.domain = "onnx_lower",
                      .op_type = "PowerBelow",
                      .summary =
                          "The greatest power of two (from 2^-126 on) that is not above a float, and its exponent; 1 "
                          "for what is not finite.",
                      .source = "the operators that are lowered to it",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::onnx_lower_PowerBelow

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>
#include <string>

#include "families/element_types.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::aten_nan_to_num {
namespace {

// The greatest finite number of a type.
double greatest(int element_type) {
  switch (element_type) {
    case onnx::TensorProto::FLOAT16:
      return 65504;
    case onnx::TensorProto::BFLOAT16:
      return 3.3895313892515355e38;
    case onnx::TensorProto::FLOAT:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

// y = where(isnan(x), nan, where(x == inf, posinf, where(x == -inf, neginf, x)))
// Each of the three numbers may be left out, and two of the defaults depend on the type.
Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  const auto category = category_of(type);
  if (!category) return Declined{"PyTorch knows no such operator of the type of input 0"};
  Body body("aten", "nan_to_num", {"x", "nan_given", "posinf_given", "neginf_given"}, {"y"}, 18);
  body.import("aten", 1);
  if (*category != TypeCategory::floating) {
    body("y", "Identity", {"x"});
  } else {
    const auto number = [&](int input, const std::string& name, double otherwise) {
      if (site.has_input(input)) {
        body(name, "CastLike", {name + "_given", "x"});
      } else {
        body.constant_like(name, tensor_of(onnx::TensorProto::DOUBLE, {}, std::vector<double>{otherwise}), "x");
      }
    };
    number(1, "nan", 0);
    number(2, "posinf", greatest(type));
    number(3, "neginf", -greatest(type));
    body("is_nan", "IsNaN", {"x"});
    body("is_posinf", "aten.isposinf", {"x"});
    body("is_neginf", "aten.isneginf", {"x"});
    body("a", "Where", {"is_nan", "nan", "x"});
    body("b", "Where", {"is_posinf", "posinf", "a"});
    body("y", "Where", {"is_neginf", "neginf", "b"});
  }
  return body.function();
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "nan_to_num",
    .summary = "x with other numbers for NaN (0), inf (the greatest) and -inf (the least of its type).",
    .source = "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_nan_to_num

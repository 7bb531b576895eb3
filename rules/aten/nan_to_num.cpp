// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>

#include "element_types.h"
#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// The greatest finite number of a type, as text that rounds to it.
std::string_view greatest(int element_type) {
  switch (element_type) {
    case onnx::TensorProto::FLOAT16:
      return "65504";
    case onnx::TensorProto::BFLOAT16:
      return "3.3895313892515355e38";
    case onnx::TensorProto::FLOAT:
      return "3.4028234663852886e38";
    default:
      return "1.7976931348623157e308";
  }
}

// Each of the three numbers may be left out, and two of the defaults depend on the type.
Lowering lower(const CallSite& site) {
  const auto type = site.dtype(0);
  if (!type) return Declined{"the type of input 0 is not known"};
  const auto category = category_of(*type);
  if (!category) return Declined{"PyTorch knows no such operator of the type of input 0"};
  std::string body;
  if (*category != TypeCategory::floating) {
    body = "y = Identity (x)";
  } else {
    const auto number = [&](int input, std::string_view name, const std::string& otherwise) {
      if (site.has_input(input)) {
        body += fmt::format("{0} = CastLike ({0}_given, x)  ", name);
      } else {
        body += fmt::format("{0}_ = Constant <value: tensor = double {{{1}}}> ()  {0} = CastLike ({0}_, x)  ", name,
                            otherwise);
      }
    };
    number(1, "nan", "0");
    number(2, "posinf", std::string(greatest(*type)));
    number(3, "neginf", fmt::format("-{}", greatest(*type)));
    body +=
        "is_nan = IsNaN (x)  is_posinf = aten.isposinf (x)  is_neginf = aten.isneginf (x)  a = Where (is_nan, nan, x)  "
        "b = Where (is_posinf, posinf, a)  y = Where (is_neginf, neginf, b)";
  }
  return function_from_text(fmt::format(
      R"(<domain: "aten", opset_import: ["" : 18, "aten" : 1]> nan_to_num (x, nan_given, posinf_given, neginf_given) => (y) {{ {} }})",
      body));
}

const NativeRule rule{
    .domain = "aten",
    .op_type = "nan_to_num",
    .summary = "x with other numbers for NaN (0), inf (the greatest) and -inf (the least of its type).",
    .source = "aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

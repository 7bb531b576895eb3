// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Normalizer and OneHotEncoder for runtimes that neither compare nor choose: with s the sign of a
// number, s² is 1 unless the number is 0.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ml_without_choices {
namespace {

using onnx::TensorProto;

// 1 for a zero and 0 for other numbers.
std::string zero_is_one(Body& body, const std::string& number) {
  const std::string sign = body.made("sign", "Sign", {number});
  const std::string square = body.made("some", "Mul", {sign, sign});
  return body.made("is_zero", "Sub", {body.float_scalar(1, "one"), square});
}

Lowering lower_normalizer(const CallSite& site) {
  const std::string norm = site.need_choice("norm", "MAX", {"MAX", "L1", "L2"});
  const auto rank = site.rank(0);
  if (rank && (*rank == 0 || *rank > 2)) return Declined{"its input is neither a row nor rows"};
  if (norm == "L2" && site.need_dtype(0) == TensorProto::DOUBLE)
    return Declined{"its squares are double, which underflow later than float"};
  Body body("ai.onnx.ml", "Normalizer", {"X"}, {"Y"}, 13);
  body("row", "Cast", {"X"}, {{"to", TensorProto::FLOAT}});
  std::string divided = "row";
  if (norm == "L1") divided = body.made("magnitudes", "Abs", {"row"});
  if (norm == "L2") divided = body.made("squares", "Mul", {"row", "row"});
  if (norm == "MAX") {
    body("sum", "ReduceMax", {"row"}, {{"axes", Ints{-1}}, {"keepdims", 1}});
  } else {
    body("sum", "ReduceSum", {divided, body.ints({-1}, "axes")}, {{"keepdims", 1}});
  }
  const std::string is_zero = zero_is_one(body, "sum");
  const std::string divisor = body.made("divisor", "Add", {"sum", is_zero});
  if (norm != "L2") {
    body("Y", "Div", {"row", divisor});
  } else {
    const std::string part = body.made("part", "Div", {divided, divisor});
    const std::string magnitude = body.made("magnitude", "Sqrt", {part});
    const std::string sign = body.made("sign", "Sign", {"row"});
    const std::string result = body.made("signed", "Mul", {magnitude, sign});
    // Where all squares underflow, the row stays as it is.
    body("Y", "Add", {result, body.made("kept", "Mul", {"row", is_zero})});
  }
  onnx::FunctionProto function = std::move(body).function();
  if (norm == "MAX" && site.need_dtype(0) != TensorProto::INT64 && site.need_dtype(0) != TensorProto::INT32)
    add_assumption(function, "no feature is NaN", "NaN beside it makes NaN of the whole row");
  return function;
}

// max(1 - (x - category)², 0), which is 0 beyond a distance of 1.
Lowering lower_one_hot(const CallSite& site) {
  const Ints categories = site.attribute_bounds("cats_int64s");
  if (site.need_dtype(0) == TensorProto::STRING || categories.empty())
    return Declined{"it has no categories that are numbers", {}, true};
  // Integers below are exact in float, and so are their distances.
  constexpr int64_t most = 1 << 22;
  const auto is_large = [](int64_t category) { return category > most || category < -most; };
  if (std::ranges::any_of(categories, is_large)) return Declined{"a category is too large a number for float"};
  Body body("ai.onnx.ml", "OneHotEncoder", {"X"}, {"Y"}, 18);
  body("whole", "Cast", {"X"}, {{"to", TensorProto::INT64}});
  body("number", "Cast", {"whole"}, {{"to", TensorProto::FLOAT}});
  const std::string entries = body.unsqueeze("number", {-1}, "entries");
  const Ints dims{std::ssize(categories)};
  std::vector<double> last(categories.size());
  for (std::size_t i = 0; i < last.size(); ++i)
    last[i] = std::find(categories.begin() + static_cast<std::ptrdiff_t>(i) + 1, categories.end(), categories[i]) ==
              categories.end();
  const std::vector<double> numbers(categories.begin(), categories.end());
  const std::string table = body.constant("categories", tensor_of(TensorProto::FLOAT, dims, numbers));
  const std::string distance = body.made("distance", "Sub", {entries, table});
  const std::string square = body.made("square", "Mul", {distance, distance});
  const std::string rest = body.made("rest", "Sub", {body.float_scalar(1, "one"), square});
  std::string ones = body.made("ones", "Relu", {rest});
  // A category that is there twice has its last place.
  if (std::ranges::count(last, 0.0) > 0)
    ones = body.made("last_ones", "Mul", {ones, body.constant("last", tensor_of(TensorProto::FLOAT, dims, last))});
  body("Y", "Identity", {ones});
  onnx::FunctionProto function = std::move(body).function();
  if (site.attribute_int("zeros", 1) == 0)
    add_assumption(function, "all elements are among its categories", "another one becomes zeros, and is no error");
  return function;
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes,
                              Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx.ml",
          .op_type = op_type,
          .summary = "For runtimes that neither compare nor choose.",
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .inputs = "X",
          .needed_inputs = 1,
          .most_inputs = 1,
          .lower = lower};
}

constexpr NativeRule rules[] = {
    rule_for("Normalizer", "ai.onnx.ml Normalizer-1, and ONNX Runtime's kernel", "norm", lower_normalizer),
    rule_for("OneHotEncoder", "ai.onnx.ml OneHotEncoder-1, and ONNX Runtime's kernel",
             "cats_int64s, cats_strings, zeros", lower_one_hot)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_without_choices

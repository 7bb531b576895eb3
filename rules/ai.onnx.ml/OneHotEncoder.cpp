// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// OneHotEncoder of numbers: each element compared with all categories.

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ml_OneHotEncoder {
namespace {

Lowering lower(const CallSite& site) {
  if (site.need_dtype(0) == onnx::TensorProto::STRING || site.attribute("cats_strings") != nullptr)
    return Declined{"its categories are strings, which ai.onnx does not compare with each other in all runtimes"};
  const Ints categories = site.attribute_bounds("cats_int64s");
  if (categories.empty()) return Declined{"it has no categories", {"cats_int64s"}};
  const auto count = static_cast<int64_t>(categories.size());
  Body body("ai.onnx.ml", "OneHotEncoder", {"X"}, {"Y"}, 18);
  // What is no integer is cut off towards 0.
  body("whole", "Cast", {"X"}, {{"to", onnx::TensorProto::INT64}});
  const std::string entries = body.unsqueeze("whole", {-1}, "entries");
  body("equal", "Equal", {entries, body.ints(categories, "categories")});
  // A category that is there twice has its last place.
  std::vector<double> places(categories.size());
  std::unordered_set<int64_t> later;
  for (std::size_t place = places.size(); place-- > 0;) places[place] = later.insert(categories[place]).second;
  if (std::ranges::count(places, 0.0) == 0) {
    body("Y", "Cast", {"equal"}, {{"to", onnx::TensorProto::FLOAT}});
  } else {
    body("ones", "Cast", {"equal"}, {{"to", onnx::TensorProto::FLOAT}});
    body.constant("last", tensor_of(onnx::TensorProto::FLOAT, {count}, places));
    body("Y", "Mul", {"ones", "last"});
  }
  onnx::FunctionProto function = std::move(body).function();
  // Operators of ai.onnx cannot end a run with an error.
  if (site.attribute_int("zeros", 1) == 0)
    add_assumption(function, "all elements are among its categories", "another one becomes zeros, and is no error");
  return function;
}

const NativeRule rule{.domain = "ai.onnx.ml",
                      .op_type = "OneHotEncoder",
                      .summary = "A one at the place of each element among the categories, and zeros elsewhere.",
                      .source = "ai.onnx.ml OneHotEncoder-1, and ONNX Runtime's kernel",
                      .attributes = "cats_int64s, cats_strings, zeros",
                      .inputs = "X",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_OneHotEncoder

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Operators of ai.onnx.ml that nothing in ai.onnx can say: why, and what to do.

#include <array>
#include <string>
#include <string_view>

#include "rules/native_rule.h"

namespace onnx_lower::native_rules::ai_onnx_ml_strings_and_maps {
namespace {

Lowering lower_category_mapper(const CallSite&) {
  return Declined{
      "it makes numbers of strings or strings of numbers, which no operator of ai.onnx does; map the categories before "
      "the model runs, and give it their numbers"};
}

Lowering lower_maps(const CallSite&) {
  return Declined{
      "its input is a map, a type that no operator of ai.onnx takes; make a tensor of it before the model runs, and "
      "give the model that"};
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx.ml",
          .op_type = op_type,
          .summary = "Says why it cannot be lowered.",
          .source = source,
          .takes_any_attribute = true,
          .lower = lower};
}

const std::array rules{rule_for("CategoryMapper", "ai.onnx.ml CategoryMapper-1", lower_category_mapper),
                       rule_for("DictVectorizer", "ai.onnx.ml DictVectorizer-1", lower_maps),
                       rule_for("CastMap", "ai.onnx.ml CastMap-1", lower_maps)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_strings_and_maps

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What reads the number of an iteration of a Loop, for OpenCV, which hands it to the body as a list
// of one number: a Reshape makes a number of it.

#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_iterations_as_numbers {
namespace {

Lowering lower(const CallSite& site) {
  const std::string_view op_type = site.node().op_type();
  const Values inputs = first_names({"first", "second"}, site.input_count());
  Body body("ai.onnx", op_type, inputs, {"result"}, 13);
  std::vector<std::string> given = {"first", "second"};
  given.resize(static_cast<size_t>(site.input_count()));
  bool is_changed = false;
  for (int input = op_type == "Gather" ? 1 : 0; input < site.input_count(); ++input) {
    const bool is_number = site.rank(input) == 0 && site.dtype(input) == onnx::TensorProto::INT64;
    if (!is_number || site.constant(input) != nullptr || site.is_made_by(input, "Reshape")) continue;
    std::string& value = given[static_cast<size_t>(input)];
    value = body.reshape(value, {}, "number");
    is_changed = true;
  }
  if (!is_changed) return Declined{"it reads no number that may be that of an iteration", {}, true};
  body("result", op_type, given);
  body.copy_attributes(site, {"axis", "to"}, op_type);
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes,
                              int inputs) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Of the number of an iteration, for a runtime that hands out a list of one.",
          .source = source,
          .attributes = attributes,
          .turn = RuleTurn::first,  // a list of one index would be made of the list by other rules
          .makes_it_anew = true,
          .needed_inputs = inputs,
          .most_inputs = inputs,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Add", "ONNX Add-14", "", 2), rule_for("Cast", "ONNX Cast-13", "to", 1),
                            rule_for("Gather", "ONNX Gather-13", "axis", 2), rule_for("Mul", "ONNX Mul-14", "", 2),
                            rule_for("Sub", "ONNX Sub-14", "", 2)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_iterations_as_numbers

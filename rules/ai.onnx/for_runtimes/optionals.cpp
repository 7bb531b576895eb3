// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Optionals for runtimes without optional types: where it is known that an optional has an element,
// the element is taken for it, so that nothing needs the optional.

#include <string_view>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_optionals {
namespace {

// Whether the input is a tensor or a list, and no optional of one.
bool is_there(const CallSite& site) {
  const onnx::TypeProto* type = site.input_type(0, Detail::element_type);
  if (type == nullptr || type->value_case() == onnx::TypeProto::VALUE_NOT_SET)
    decline("the type of its input is not known");
  return type->value_case() != onnx::TypeProto::kOptionalType;
}

Lowering input_itself(std::string_view op_type) {
  return Body("ai.onnx", op_type, {"input"}, {"input"}, 15).function();
}

Lowering optional(const CallSite& site) {
  if (!site.has_input(0)) return Declined{"nothing is in it"};
  if (!is_there(site)) return Declined{"its input is an optional"};
  if (site.is_read_by_others(0, {"OptionalGetElement", "OptionalHasElement"}))
    return Declined{"what reads it is not all OptionalGetElement and OptionalHasElement"};
  return input_itself("Optional");
}

Lowering element(const CallSite& site) {
  if (!is_there(site)) return Declined{"its input is an optional, of which only the run tells what is in it"};
  return input_itself("OptionalGetElement");
}

Lowering has_element(const CallSite& site) {
  const bool has = site.has_input(0);
  if (has && !is_there(site)) return Declined{"its input is an optional, of which only the run tells what is in it"};
  Body body("ai.onnx", "OptionalHasElement", {"input"}, {"output"}, 15);
  body("output", "Constant", {}, {{"value", tensor_of(onnx::TensorProto::BOOL, {}, Ints{has ? 1 : 0})}});
  return body.function();
}

const NativeRule rules[] = {{.domain = "ai.onnx",
                             .op_type = "Optional",
                             .summary = "What is put into it, where all that reads it asks for that.",
                             .source = "ONNX Optional-15",
                             .attributes = "type",
                             .inputs = "input",
                             .most_inputs = 1,
                             .lower = optional},
                            {.domain = "ai.onnx",
                             .op_type = "OptionalGetElement",
                             .summary = "The input itself, where it is no optional.",
                             .source = "ONNX OptionalGetElement-18",
                             .inputs = "input",
                             .needed_inputs = 1,
                             .most_inputs = 1,
                             .lower = element},
                            {.domain = "ai.onnx",
                             .op_type = "OptionalHasElement",
                             .summary = "Whether there is an input, where it is no optional.",
                             .source = "ONNX OptionalHasElement-18",
                             .inputs = "input",
                             .most_inputs = 1,
                             .lower = has_element}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_optionals

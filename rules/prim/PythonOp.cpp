// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <string>

#include "rules/native_rule.h"

namespace onnx_lower::native_rules::prim_PythonOp {
namespace {

std::string names(std::string_view prefix, int count) {
  std::string list;
  for (int index = 0; index < count; ++index) list += fmt::format("{}{}{}", index == 0 ? "" : ", ", prefix, index);
  return list;
}

// A file for --rules that this node fits, with a body to replace.
std::string example(const CallSite& site) {
  std::string attributes;
  for (const onnx::AttributeProto& attribute : site.node().attribute()) {
    attributes += (attributes.empty() ? "<" : ", ") + attribute.name();
  }
  if (!attributes.empty()) attributes += "> ";
  std::string body;
  for (int index = 0; index < site.output_count(); ++index) {
    const std::string_view value = site.input_count() > 1    ? "Add (x0, x1)"
                                   : site.input_count() == 1 ? "Relu (x0)"
                                                             : "Constant <value_float = 1.0> ()";
    body += fmt::format(" y{} = {} ", index, value);
  }
  return fmt::format("    <domain: \"prim\", opset_import: [\"\" : 18]>\n    PythonOp {}({}) => ({})\n    {{{}}}",
                     attributes, names("x", site.input_count()), names("y", site.output_count()), body);
}

Lowering lower(const CallSite& site) {
  return Declined{
      fmt::format("it stands for a torch.autograd.Function without `symbolic`, and the export kept neither the "
                  "function's name nor the numbers "
                  "that it was called with. Give the function a `symbolic` and export again, or write what it computes "
                  "into a file for --rules:\n{}",
                  example(site))};
}

const NativeRule rule{
    .domain = "prim",
    .op_type = "PythonOp",
    .summary = "An autograd function whose name the export lost: says what a rule for it would look like.",
    .source = "torch.onnx with ONNX_FALLTHROUGH",
    .takes_any_attribute = true,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::prim_PythonOp

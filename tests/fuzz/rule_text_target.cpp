// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Rule files: what is wrong with them is said, and those that parse lower nodes of their operators.

#include <fmt/format.h>

#include <string>

#include "error.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/lowering_oracle.h"
#include "rule_check/lint.h"
#include "rules/text/rule_text.h"

namespace onnx_lower::fuzz {
namespace {

onnx::AttributeProto value_of(const DeclaredAttribute& declared) {
  onnx::AttributeProto attribute;
  attribute.set_name(declared.name);
  attribute.set_type(declared.type == onnx::AttributeProto::UNDEFINED ? onnx::AttributeProto::FLOAT : declared.type);
  switch (attribute.type()) {
    case onnx::AttributeProto::INT:
      attribute.set_i(1);
      break;
    case onnx::AttributeProto::INTS:
      attribute.add_ints(1);
      break;
    case onnx::AttributeProto::FLOATS:
      attribute.add_floats(0.5F);
      break;
    case onnx::AttributeProto::STRING:
      attribute.set_s("tanh");
      break;
    case onnx::AttributeProto::STRINGS:
      attribute.add_strings("a");
      break;
    case onnx::AttributeProto::TENSOR:
      attribute.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
      attribute.mutable_t()->add_float_data(0.5F);
      break;
    default:
      attribute.set_type(onnx::AttributeProto::FLOAT);
      attribute.set_f(0.5F);
      break;
  }
  return attribute;
}

// A model whose only node is of the form's operator, with all that its signature asks for.
onnx::ModelProto model_of(const Form& form, int element_type, int64_t opset) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("fuzz");
  const auto import = [&model](const std::string& domain, int64_t version) {
    onnx::OperatorSetIdProto& added = *model.add_opset_import();
    added.set_domain(domain);
    added.set_version(version);
  };
  import("", opset);
  if (!form.function.domain().empty()) import(form.function.domain(), 1);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("graph");
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(form.function.name());
  node.set_domain(form.function.domain());
  const auto declare = [element_type](onnx::ValueInfoProto& value, const std::string& name) {
    value.set_name(name);
    onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(element_type);
    for (const int length : {2, 3}) type.mutable_shape()->add_dim()->set_dim_value(length);
  };
  for (int i = 0; i < form.function.input_size(); ++i) {
    node.add_input(fmt::format("in{}", i));
    declare(*graph.add_input(), node.input(i));
  }
  for (int i = 0; i < form.function.output_size(); ++i) {
    node.add_output(fmt::format("out{}", i));
    graph.add_output()->set_name(node.output(i));
  }
  for (const DeclaredAttribute& declared : form.attributes) {
    if (declared.required()) *node.add_attribute() = value_of(declared);
  }
  return model;
}

}  // namespace

void run_rule_text(std::string_view input) {
  const std::string file = "rules.onnxtxt";
  const LintReport report = check_rule_text(input, file);
  for (const LintFinding& finding : report.findings) {
    if (!to_text(finding).starts_with(file)) fail("a finding does not say where: " + to_text(finding));
  }
  RuleText rules;
  try {
    rules = parse_rule_text(input, file, RuleOrigin::user);
  } catch (const InvalidInput& error) {
    if (report.findings.empty()) fail(std::string("--check-rules finds nothing wrong with it: ") + error.what());
    return;
  }
  if (rules.positions.size() != rules.forms.size()) fail("forms without positions");
  constexpr size_t most_forms = 8;
  for (const Form& form : std::span(rules.forms).first(std::min(most_forms, rules.forms.size()))) {
    const int element_type = form.function.input_size() % 2 == 0 ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT;
    for (const int64_t opset : {13, 21})
      check_lowering(model_of(form, element_type, opset).SerializeAsString(), {}, std::string(input));
  }
}

}  // namespace onnx_lower::fuzz

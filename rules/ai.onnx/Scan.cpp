// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The Scan of opset 8, of whose values the first dimension is a batch: a Scan over the batch, and in its body one over the sequence.
#include <fmt/format.h>

#include <set>
#include <string>

#include "rules/body.h"

namespace onnx_lower {
namespace {

void add_int(onnx::NodeProto& node, const char* name, int64_t value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

// Whether every value that the nodes use is made in the graph.
bool is_closed(const onnx::GraphProto& graph) {
  std::set<std::string> known{""};
  for (const auto& input : graph.input()) known.insert(input.name());
  for (const auto& initializer : graph.initializer()) known.insert(initializer.name());
  for (const auto& node : graph.node()) {
    for (const std::string& input : node.input()) {
      if (!known.contains(input)) return false;
    }
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) return false;
    }
    known.insert(node.output().begin(), node.output().end());
  }
  return true;
}

Lowering lower(const CallSite& site) {
  if (site.version().value_or(8) > 8) return Declined{"it is about the Scan of opset 8, and this is a newer one"};
  if (site.attribute("num_scan_inputs") == nullptr || site.attribute("scan_input_axes") != nullptr)
    return Declined{"it is of opset 9 or newer"};
  if (site.has_input(0)) return Declined{"its sequences have lengths of their own"};
  const onnx::AttributeProto* body = site.attribute("body");
  if (body == nullptr || !body->has_g()) return Declined{"it has no body"};
  if (!is_closed(body->g())) return Declined{"its body uses values from outside, or holds graphs"};
  const int scanned = static_cast<int>(site.attribute_int("num_scan_inputs", 0));
  const int inputs = body->g().input_size(), outputs = body->g().output_size(), states = inputs - scanned;
  if (scanned < 1 || states < 0 || states > outputs || site.input_count() != inputs + 1 ||
      site.output_count() != outputs)
    return Declined{"its inputs and outputs are not those of its body"};

  onnx::FunctionProto function = Body("ai.onnx", "Scan", {}, {}, 9).function();
  onnx::GraphProto batch;
  batch.set_name("batch");
  onnx::NodeProto& inner = *batch.add_node();
  onnx::NodeProto& outer = *function.add_node();
  inner.set_op_type("Scan");
  outer.set_op_type("Scan");
  function.add_input("sequence_lens");
  for (int i = 0; i < inputs; ++i) {
    function.add_input(fmt::format("given{}", i));
    outer.add_input(fmt::format("given{}", i));
    const std::string name = fmt::format("of_one{}", i);
    onnx::ValueInfoProto& input = *batch.add_input();
    input.set_name(name);
    if (const onnx::TypeProto* type = site.input_type(i + 1, Detail::element_type);
        type != nullptr && type->has_tensor_type())
      input.mutable_type()->mutable_tensor_type()->set_elem_type(type->tensor_type().elem_type());
    inner.add_input(name);
  }
  for (int i = 0; i < outputs; ++i) {
    function.add_output(fmt::format("made{}", i));
    outer.add_output(fmt::format("made{}", i));
    const std::string name = fmt::format("made_of_one{}", i);
    onnx::ValueInfoProto& output = *batch.add_output();
    output.set_name(name);
    const onnx::TypeProto& type = body->g().output(i).type();
    if (type.has_tensor_type())
      output.mutable_type()->mutable_tensor_type()->set_elem_type(type.tensor_type().elem_type());
    inner.add_output(name);
  }
  *inner.add_attribute() = *body;
  add_int(inner, "num_scan_inputs", scanned);
  if (const onnx::AttributeProto* directions = site.attribute("directions")) {
    onnx::AttributeProto& attribute = *inner.add_attribute();
    attribute = *directions;
    attribute.set_name("scan_input_directions");
  }
  onnx::AttributeProto& graph = *outer.add_attribute();
  graph.set_name("body");
  graph.set_type(onnx::AttributeProto::GRAPH);
  *graph.mutable_g() = batch;
  add_int(outer, "num_scan_inputs", inputs);
  return function;
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Scan",
    .summary = "The Scan of opset 8, over a batch of sequences, by one over the batch and one over the sequence.",
    .source = "ONNX Scan-8",
    .attributes = "body, directions, num_scan_inputs",
    .required_attributes = "body, num_scan_inputs",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

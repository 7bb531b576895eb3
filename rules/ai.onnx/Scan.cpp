// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The Scan of opset 8, whose values have the batch as their first dimension: it becomes a Loop over
// the batch, with a Scan over the sequence in its body. (OpenVINO has no Scan in a Scan.)
#include <fmt/format.h>

#include <set>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Scan {
namespace {

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

  std::vector<std::string> given{"sequence_lens"}, made;
  for (int i = 0; i < inputs; ++i) given.push_back(fmt::format("given{}", i));
  for (int i = 0; i < outputs; ++i) made.push_back(fmt::format("made{}", i));
  // Opset 9 is the oldest that has the Scan without a batch. The nodes of the body mean there what
  // they mean at 8, but for Upsample and the attribute `spatial` of BatchNormalization: bodies with
  // either are refused.
  Body function("ai.onnx", "Scan", given, made, 9);
  const std::string batch_size = function.dim("given0", 0);
  // Below opset 11 a Loop has to carry a value.
  const GraphValue index{"index", onnx::TensorProto::INT64}, going{"going", onnx::TensorProto::BOOL},
      goes_on{"goes_on", onnx::TensorProto::BOOL}, carried{"carried", onnx::TensorProto::INT64},
      carried_on{"carried_on", onnx::TensorProto::INT64};
  std::vector<GraphValue> graph_outputs{goes_on, carried_on};
  std::vector<std::string> of_one, made_of_one;
  for (int i = 0; i < outputs; ++i) {
    made_of_one.push_back(fmt::format("made_of_one{}", i));
    graph_outputs.push_back({made_of_one.back()});
  }
  onnx::GraphProto batch = function.graph("batch", {index, going, carried}, graph_outputs, [&] {
    for (int i = 0; i < inputs; ++i) {
      of_one.push_back(fmt::format("of_one{}", i));
      function(of_one.back(), "Gather", {given[static_cast<size_t>(i) + 1], "index"}, {{"axis", 0}});
    }
    const onnx::AttributeProto* directions = site.known_attribute("directions");
    if (directions == nullptr) {
      function.node(made_of_one, "Scan", of_one, {{"body", body->g()}, {"num_scan_inputs", scanned}});
    } else {
      function.node(made_of_one, "Scan", of_one,
                    {{"body", body->g()},
                     {"num_scan_inputs", scanned},
                     {"scan_input_directions", Ints(directions->ints().begin(), directions->ints().end())}});
    }
    function("goes_on", "Identity", {"going"});
    function("carried_on", "Identity", {"carried"});
  });
  for (int i = 0; i < outputs; ++i) {
    const int type = body->g().output(i).type().tensor_type().elem_type();
    batch.mutable_output(i + 2)->mutable_type()->mutable_tensor_type()->set_elem_type(type);
  }
  std::vector<std::string> given_back{"batch_size_again"};
  given_back.insert(given_back.end(), made.begin(), made.end());
  function.node(given_back, "Loop", {batch_size, "", batch_size}, {{"body", batch}});
  return function.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Scan",
    .summary = "The Scan of opset 8, over a batch of sequences, by a Loop over the batch and a Scan over the sequence.",
    .source = "ONNX Scan-8",
    .attributes = "body, directions, num_scan_inputs",
    .required_attributes = "body, num_scan_inputs",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Scan

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lowers a Loop for a runtime that computes nothing where it makes no iteration. The Loop stands in
// one branch of an If, which is taken where there is an iteration; the other branch gives the
// initial states of the Loop and empty scan outputs. Where the Loop would make no iteration, its
// body is not run, so that nothing in it can fail.

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "legalizer/body/body_instance.h"
#include "legalizer/legality/node_facts.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/graph_legalizer.h"
#include "rules/body.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// The scan output of a Loop without an iteration, for elements of that type: it has 0 as its
// first dimension, and as each that is not known. nullopt where the rank or the element type
// is not known.
std::optional<onnx::TensorProto> nothing_of(const onnx::TypeProto& element) {
  const onnx::TypeProto::Tensor& type = element.tensor_type();
  if (!element.has_tensor_type() || type.elem_type() == onnx::TensorProto::UNDEFINED || !type.has_shape())
    return std::nullopt;
  Ints dims{0};
  for (const auto& dim : type.shape().dim()) dims.push_back(dim.has_dim_value() ? dim.dim_value() : 0);
  return tensor_of(static_cast<onnx::TensorProto::DataType>(type.elem_type()), dims, Ints{});
}

void add_branch(onnx::NodeProto& conditional, std::string_view name, onnx::GraphProto graph) {
  graph.set_name(std::string(name));
  *conditional.add_attribute() = BodyAttribute(name, std::move(graph)).message();
}

// Makes a fresh name that ends with `stem`.
using Fresh = std::function<std::string(const std::string& stem)>;

// The If, still without its condition, that holds the Loop in one branch, and in the other what the
// Loop gives without an iteration; nullopt where that is not known.
std::optional<onnx::NodeProto> conditional_around(onnx::NodeProto loop, const Fresh& fresh) {
  if (loop.attribute_size() != 1 || !loop.attribute(0).has_g()) return std::nullopt;
  const onnx::GraphProto& body = loop.attribute(0).g();
  const int states = loop.input_size() - 2;
  if (states < 0 || body.input_size() != states + 2 || body.output_size() <= loop.output_size()) return std::nullopt;
  onnx::GraphProto with, without;
  onnx::NodeProto conditional;
  conditional.set_op_type("If");
  for (int index = 0; index < loop.output_size(); ++index) {
    if (loop.output(index).empty()) continue;
    conditional.add_output(loop.output(index));
    *loop.mutable_output(index) = fresh(fmt::format("result_{}", index));
    const std::string begins = fresh(fmt::format("begin_{}", index));
    if (index < states) {
      // Loop takes sequences from opset 13 on, and Identity from opset 14 on.
      if (is_container(body.input(index + 2).type())) return std::nullopt;
      *without.add_node() = node_of("Identity", {loop.input(index + 2)}, {begins});
    } else {
      std::optional<onnx::TensorProto> nothing = nothing_of(body.output(index + 1).type());
      if (!nothing) return std::nullopt;
      *without.add_node() = node_of("Constant", {}, {begins}, {{"value", *std::move(nothing)}});
    }
    with.add_output()->set_name(loop.output(index));
    without.add_output()->set_name(begins);
  }
  *with.add_node() = std::move(loop);
  add_branch(conditional, "then_branch", std::move(with));
  add_branch(conditional, "else_branch", std::move(without));
  return conditional;
}

}  // namespace

bool GraphLegalizer::place_loop_in_branch(const Node& node, GraphScope& scope, const Origin& origin) {
  const onnx::NodeProto loop = node_message(all_.model, node);
  const Fresh fresh = [&](const std::string& stem) {
    return std::string(all_.model.value_name(all_.names.make(name_prefix(all_.model, node), stem)));
  };
  std::optional<onnx::NodeProto> conditional = conditional_around(loop, fresh);
  if (!conditional) return false;
  bool all_placed = true;
  const auto place_here = [&](const onnx::NodeProto& message) {
    all_placed = all_placed && !place_part(keep_node(all_.model, message, node.opsets), scope, origin);
  };
  const auto is_known = [&](size_t input) {
    const ValueId value = node.inputs()[input];
    return value == absent_value || is_positive_here(scope, value);
  };
  std::string condition;
  if (!is_known(0)) {
    // Before opset 9, Greater takes floating-point numbers only.
    onnx::TensorProto nothing = tensor_of(onnx::TensorProto::INT64, {}, Ints{0});
    std::string count = loop.input(0);
    if (all_.known.contexts.version(scope.context(node), "") < 9) {
      nothing = tensor_of(onnx::TensorProto::DOUBLE, {}, std::vector<double>{0});
      count = fresh("count");
      place_here(node_of("Cast", {loop.input(0)}, {count}, {{"to", onnx::TensorProto::DOUBLE}}));
    }
    const std::string zero = fresh("zero");
    place_here(node_of("Constant", {}, {zero}, {{"value", std::move(nothing)}}));
    condition = fresh("any");
    place_here(node_of("Greater", {count, zero}, {condition}));
  }
  if (!is_known(1)) {
    const std::string both = condition.empty() ? loop.input(1) : fresh("both");
    if (!condition.empty()) place_here(node_of("And", {condition, loop.input(1)}, {both}));
    condition = both;
  }
  if (!all_placed || condition.empty()) return false;

  conditional->add_input(condition);
  // The Loop's body is legal, and so are the other nodes of the If: it is placed as it is.
  scope.nodes().place(keep_node(all_.model, *conditional, node.opsets));
  return true;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/open_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model_file/protobuf_message.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using Shape = onnx::TensorShapeProto;

// The inputs of the main graph on which values depend that are reached in the scope.
class InputsBehind {
 public:
  void reach(ValueId value, const GraphScope* from) {
    const GraphScope* of = value == absent_value ? nullptr : defining_scope(from, value);
    if (of != nullptr && seen_.insert(value).second) left_.emplace_back(value, of);
  }

  std::unordered_set<ValueId> find() {
    while (!left_.empty()) {
      const auto [value, of] = left_.back();
      left_.pop_back();
      if (of->constant_type(value) == nullptr) go_on(value, of);
    }
    return std::move(inputs_);
  }

 private:
  void go_on(ValueId value, const GraphScope* of) {
    if (const Node* maker = of->maker(value)) {
      for_each_used(*maker, [&](ValueId used) { reach(used, of); });
    } else if (const NodeView made = of->producer(value)) {
      for (const ValueId used : made.inputs) reach(used, of);
    } else if (of->enclosing() == nullptr) {
      inputs_.insert(value);
    } else {
      // What a Loop or a Scan hands to its graph.
      for (const ValueId used : of->holder_node()->inputs()) reach(used, of->enclosing());
    }
  }

  std::unordered_set<ValueId> seen_;
  std::unordered_set<ValueId> inputs_;
  std::vector<std::pair<ValueId, const GraphScope*>> left_;
};

// Empty where the input is not a single number.
std::string value_to_give(const onnx::ValueInfoProto& info) {
  const bool is_single = info.type().has_tensor_type() && info.type().tensor_type().has_shape() &&
                         std::ranges::all_of(info.type().tensor_type().shape().dim(),
                                             [](const auto& dim) { return dim.dim_value() == 1; });
  return is_single ? fmt::format("--input-value {}=VALUE", info.name()) : std::string();
}

// Whether a shell reads the name as it is.
bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  });
}

}  // namespace

std::vector<std::string> options_that_fix(const onnx::ValueInfoProto& info) {
  if (!info.type().has_tensor_type()) return {};
  if (!info.type().tensor_type().has_shape()) return {fmt::format("--input-shape {}:1", info.name())};
  const Shape& shape = info.type().tensor_type().shape();
  std::vector<std::string> options, sizes;
  bool has_nameless = false;
  for (const Shape::Dimension& dim : shape.dim()) {
    const bool is_number = dim.has_dim_value() && dim.dim_value() >= 0;
    sizes.push_back(is_number ? fmt::format("{}", dim.dim_value()) : "1");
    if (is_number) continue;
    if (dim.has_dim_param() && is_plain(dim.dim_param())) {
      options.push_back(fmt::format("--dim {}=1", dim.dim_param()));
    } else {
      has_nameless = true;
    }
  }
  if (has_nameless) return {fmt::format("--input-shape {}:{}", info.name(), fmt::join(sizes, ","))};
  return options;
}

std::vector<std::string> options_for_open_inputs(const Node& node, const GraphScope& scope) {
  InputsBehind values;
  for_each_used(node, [&](ValueId value) { values.reach(value, &scope); });
  InputsBehind conditions;
  if (scope.facts(node).role == OperatorRole::conditional && !node.inputs().empty())
    conditions.reach(node.inputs()[0], &scope);
  for (const GraphScope* around = &scope; around->enclosing() != nullptr; around = around->enclosing()) {
    if (around->holder_role() == OperatorRole::conditional)
      conditions.reach(around->holder_node()->inputs()[0], around->enclosing());
  }
  const std::unordered_set<ValueId> of_values = values.find();
  const std::unordered_set<ValueId> of_conditions = conditions.find();
  std::vector<std::string> options;
  for (const ValueInfo& declaration : scope.sources().model.graph.inputs) {
    onnx::ValueInfoProto info;
    if (!parse_message(info, declaration.wire)) continue;
    std::vector<std::string> given;
    if (of_values.contains(declaration.value)) given = options_that_fix(info);
    if (given.empty() && of_conditions.contains(declaration.value)) given.push_back(value_to_give(info));
    for (std::string& option : given) {
      if (!option.empty() && std::ranges::find(options, option) == options.end()) options.push_back(std::move(option));
    }
  }
  return options;
}

}  // namespace onnx_lower

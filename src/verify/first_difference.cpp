// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify/first_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "domain.h"
#include "error.h"
#include "model_file/external_data.h"
#include "model_file/tensor_skeleton.h"
#include "standard_operators/operator_role.h"
#include "verify/determined.h"
#include "verify/graph_uses.h"
#include "verify/runtime_process.h"

namespace onnx_lower {
namespace {

bool is_constant(const Model& model, const Node& node) {
  return role_of(model.op(node.op).op_type) == OperatorRole::constant;
}

// The values that are looked at in one run: all of a small model, else evenly chosen ones, so that
// few runs find the first one and no run holds too many at once.
constexpr size_t most_values = 200;

class DifferenceSearch {
 public:
  DifferenceSearch(const Model& original, const Model& output, const ComparisonRequest& request)
      : original_(original),
        output_(output),
        request_(request),
        uses_(original, original.graph),
        output_uses_(output, output.graph) {}

  std::optional<FirstDifference> find(const std::string& differing);
  const GraphUses& uses() const { return uses_; }
  const GraphUses& output_uses() const { return output_uses_; }

 private:
  // The values that both models compute and on which `value` depends, itself among them, in the
  // original's order.
  std::vector<ValueId> common_values_before(ValueId value) const;
  // The first of these that differs, and how. Those before it are noted as equal.
  std::optional<std::pair<ValueId, ValueDifference>> first_of(const std::vector<ValueId>& values);

  const Model& original_;
  const Model& output_;
  const ComparisonRequest& request_;
  GraphUses uses_, output_uses_;
  std::unordered_set<ValueId> equal_;
};

std::vector<ValueId> DifferenceSearch::common_values_before(ValueId value) const {
  std::unordered_set<ValueId> reached = {value};
  std::vector<ValueId> left = {value};
  while (!left.empty()) {
    const Node* const maker = uses_.maker_of(left.back());
    left.pop_back();
    if (maker == nullptr) continue;
    for_each_used(*maker, [&](ValueId input) {
      // What an equal value depends on is not where the difference comes from.
      if (input != absent_value && !equal_.contains(input) && reached.insert(input).second) left.push_back(input);
    });
  }
  const std::unordered_set<ValueId> undetermined = undetermined_values(original_, uses_);
  std::vector<ValueId> found;
  for (const Node* const node : uses_.nodes()) {
    for (const ValueId made : node->outputs()) {
      if (!reached.contains(made) || undetermined.contains(made)) continue;
      const std::optional<ValueId> other = output_.values().find(original_.value_name(made));
      if (other && output_uses_.maker_of(*other) != nullptr) found.push_back(made);
    }
  }
  return found;
}

std::optional<std::pair<ValueId, ValueDifference>> DifferenceSearch::first_of(const std::vector<ValueId>& values) {
  ComparisonRequest request = request_;
  request.values.clear();
  const auto is_output = [](const Model& model, std::string_view name) {
    return std::ranges::any_of(model.graph.outputs,
                               [&](const ValueInfo& output) { return model.value_name(output.value) == name; });
  };
  for (const ValueId value : values) {
    const std::string name(original_.value_name(value));
    request.values.push_back({.name = name, .holds_codes = holds_codes(original_, uses_, value)});
    if (!is_output(original_, name)) request.original.extra_outputs.push_back(name);
    if (!is_output(output_, name)) request.output.extra_outputs.push_back(name);
  }
  const ComparisonAnswer answer = ask_runtime(request);
  if (answer.outcome != ComparisonAnswer::Outcome::compared) return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    const ValueDifference& found = answer.values[i];
    if (!found.is_equal) return std::pair(values[i], found);
    equal_.insert(values[i]);
  }
  return std::nullopt;
}

std::optional<FirstDifference> DifferenceSearch::find(const std::string& differing) {
  const std::optional<ValueId> output = original_.values().find(differing);
  if (!output) return std::nullopt;
  std::optional<std::pair<ValueId, ValueDifference>> first;
  constexpr int most_runs = 12;
  ValueId suspect = *output;
  for (int run = 0; run < most_runs; ++run) {
    std::vector<ValueId> values = common_values_before(suspect);
    const size_t count = values.size();
    if (count > most_values) {
      std::vector<ValueId> chosen;
      for (size_t i = 0; i < most_values; ++i) chosen.push_back(values[(i + 1) * count / most_values - 1]);
      values = std::move(chosen);
    }
    std::optional<std::pair<ValueId, ValueDifference>> found = first_of(values);
    if (!found) break;
    first = std::move(found);
    suspect = first->first;
    if (count <= most_values) break;
  }
  if (!first) return std::nullopt;
  FirstDifference result;
  result.value = original_.value_name(first->first);
  result.numbers = std::move(first->second);
  return result;
}

// The elements of a constant, wherever they stand, or the whole message where that is not known.
Bytes elements_of_constant(const GraphUses& uses, ValueId value, ExternalFiles& files) {
  const TensorSkeleton* const tensor = uses.initializer(value);
  if (tensor == nullptr) return {};
  const TensorFacts facts = read_tensor_facts(tensor->wire);
  return facts.external ? files.elements(facts) : tensor->wire;
}

// What is different between two nodes that make the value of one name, as a clause.
class NodeComparison {
 public:
  NodeComparison(const Model& original, const Model& output, const DifferenceSearch& search)
      : original_(original), output_(output), search_(search), files_(original), output_files_(output) {}

  std::string difference(const Node& node, const Node& other);

 private:
  std::string difference_of_inputs(const Node& node, const Node& other);
  static std::string difference_of_attributes(const Node& node, const Node& other);

  const Model& original_;
  const Model& output_;
  const DifferenceSearch& search_;
  ExternalFiles files_, output_files_;
};

std::string NodeComparison::difference_of_inputs(const Node& node, const Node& other) {
  const std::span<const ValueId> inputs = node.inputs();
  const std::span<const ValueId> others = other.inputs();
  for (size_t i = 0; i < std::max(inputs.size(), others.size()); ++i) {
    const std::string_view name = i < inputs.size() ? original_.value_name(inputs[i]) : std::string_view();
    const std::string_view other_name = i < others.size() ? output_.value_name(others[i]) : std::string_view();
    if (name != other_name) {
      return fmt::format("its input {} is '{}', and '{}' in the output", i + 1, name, other_name);
    }
    if (name.empty()) continue;
    const Node* const maker = search_.uses().maker_of(inputs[i]);
    const Node* const other_maker = search_.output_uses().maker_of(others[i]);
    if (maker != nullptr && other_maker != nullptr && is_constant(original_, *maker) &&
        message_of(*maker).attribute_size() > 0 && is_constant(output_, *other_maker) &&
        message_of(*maker).attribute(0).SerializeAsString() !=
            message_of(*other_maker).attribute(0).SerializeAsString())
      return fmt::format("its input {}, the constant '{}', has other elements", i + 1, name);
    if (elements_of_constant(search_.uses(), inputs[i], files_) !=
        elements_of_constant(search_.output_uses(), others[i], output_files_))
      return fmt::format("its input {}, the constant '{}', has other elements", i + 1, name);
  }
  return {};
}

std::string NodeComparison::difference_of_attributes(const Node& node, const Node& other) {
  std::unordered_map<std::string, std::string> attributes;
  const onnx::NodeProto message = message_of(node);
  const onnx::NodeProto other_message = message_of(other);
  for (const onnx::AttributeProto& attribute : message.attribute())
    attributes.emplace(attribute.name(), attribute.SerializeAsString());
  for (const onnx::AttributeProto& attribute : other_message.attribute()) {
    const auto found = attributes.find(attribute.name());
    if (found == attributes.end()) return fmt::format("its attribute '{}' is only in the output", attribute.name());
    if (found->second != attribute.SerializeAsString())
      return fmt::format("its attribute '{}' has another value in the output", attribute.name());
    attributes.erase(found);
  }
  if (attributes.empty()) return {};
  return fmt::format("its attribute '{}' is not in the output", attributes.begin()->first);
}

std::string NodeComparison::difference(const Node& node, const Node& other) {
  const Operator& op = original_.op(node.op);
  const Operator& other_op = output_.op(other.op);
  if (op != other_op)
    return fmt::format("in the output {} makes '{}'", operator_name(other_op.domain, other_op.op_type),
                       output_.value_name(other.outputs()[0]));
  std::string found = difference_of_attributes(node, other);
  if (found.empty()) found = difference_of_inputs(node, other);
  return found;
}

std::string lowering_of(const LegalizeResult& result, std::string_view node) {
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.node == node) return fmt::format("lowered by {}", lowered.where_from);
  }
  const bool is_folded = std::ranges::any_of(result.folded, [&](const FoldedNode& each) { return each.node == node; });
  return is_folded ? "folded" : "not changed";
}

}  // namespace

std::optional<FirstDifference> find_first_difference(const Model& original, const Model& output,
                                                     const ComparisonRequest& request, const std::string& differing,
                                                     const LegalizeResult* lowered) {
  DifferenceSearch search(original, output, request);
  std::optional<FirstDifference> first = search.find(differing);
  if (!first) return std::nullopt;
  const Node* const node = search.uses().maker_of(*original.values().find(first->value));
  const Node* const other = search.output_uses().maker_of(*output.values().find(first->value));
  const Operator& op = original.op(node->op);
  first->node = shown_name(original, *node);
  first->op_type = operator_name(op.domain, op.op_type);
  if (lowered != nullptr) first->lowered_by = lowering_of(*lowered, first->node);
  first->difference = NodeComparison(original, output, search).difference(*node, *other);
  return first;
}

}  // namespace onnx_lower

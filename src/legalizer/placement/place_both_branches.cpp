// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Lowers an If for a runtime that has none. ONNX's operators have no effects but their
// outputs, so that both branches can be computed; a Where then takes the results of the one
// that the condition chooses.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "legalizer/body/body_instance.h"
#include "legalizer/body/branch.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/graph_legalizer.h"
#include "rules/body.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

bool is_of_known_rank(const onnx::TypeProto* type) {
  return type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape();
}

bool is_of_known_shape(const onnx::TypeProto* type) { return is_of_known_rank(type) && has_dimensions(*type); }

bool has_one_element(const onnx::TypeProto* type) {
  return is_of_known_shape(type) &&
         std::ranges::all_of(type->tensor_type().shape().dim(), [](const auto& dim) { return dim.dim_value() == 1; });
}

// The rank of both types; nullopt unless they have one shape, with the same numbers or
// names as dimensions.
std::optional<int> rank_of_both(const std::array<std::optional<onnx::TypeProto>, 2>& types) {
  for (const std::optional<onnx::TypeProto>& type : types) {
    if (!type || !is_of_known_rank(&*type)) return std::nullopt;
  }
  const onnx::TensorShapeProto &one = types[0]->tensor_type().shape(), &other = types[1]->tensor_type().shape();
  const auto is_same = [](const auto& a, const auto& b) {
    if (a.has_dim_value()) return b.has_dim_value() && a.dim_value() == b.dim_value();
    return !a.dim_param().empty() && a.dim_param() == b.dim_param();
  };
  return std::ranges::equal(one.dim(), other.dim(), is_same) ? std::optional(one.dim_size()) : std::nullopt;
}

}  // namespace

std::optional<std::vector<ValueId>> GraphLegalizer::place_one_branch(const Node& node, bool condition,
                                                                     GraphScope& scope, const Origin& origin) {
  std::vector<ValueId> results;
  onnx::NodeProto message = node_message(all_.model, node);
  for (size_t index = 0; index < node.outputs().size(); ++index) {
    if (node.outputs()[index] == absent_value) {
      results.push_back(absent_value);
      continue;
    }
    results.push_back(
        all_.names.make(name_prefix(all_.model, node), fmt::format("{}_{}", condition ? "then" : "else", index)));
    message.set_output(static_cast<int>(index), std::string(all_.model.value_name(results.back())));
  }
  const Node& one_sided = keep_node(all_.model, message, node.opsets);
  const std::optional<Branch> branch = open_branch_of(one_sided, condition, scope, origin);
  if (!branch || place_branch_nodes(*branch, scope, origin.in_graph())) return std::nullopt;
  std::unordered_map<ValueId, ValueId> copied;
  for (const Branch::Copy& copy : branch->copies) copied.emplace(copy.output, copy.value);
  for (ValueId& result : results) {
    if (const auto copy = copied.find(result); copy != copied.end()) result = copy->second;
  }
  return results;
}

bool GraphLegalizer::place_both_branches(const Node& node, GraphScope& scope, const Origin& origin) {
  if (node.inputs().size() != 1 || node.inputs()[0] == absent_value) return false;
  const onnx::TypeProto* condition = types_.type_of(scope, node.inputs()[0], Detail::dimensions);
  if (!has_one_element(condition)) return false;
  const int rank_of_condition = condition->tensor_type().shape().dim_size();

  const Origin inside = origin.in_graph();
  std::array<std::vector<ValueId>, 2> results;
  for (const size_t side : {0, 1}) {
    std::optional<std::vector<ValueId>> made = place_one_branch(node, side == 0, scope, origin);
    if (!made) return false;
    results[side] = *std::move(made);
  }
  for (size_t index = 0; index < node.outputs().size(); ++index) {
    const ValueId output = node.outputs()[index];
    if (output == absent_value) continue;
    std::array<std::optional<onnx::TypeProto>, 2> types;
    for (const size_t side : {0, 1}) {
      if (const onnx::TypeProto* type = types_.type_of(scope, results[side][index], Detail::dimensions))
        types[side] = *type;
    }
    // What the model declares of the If's output holds for the results of both branches.
    const onnx::TypeProto* declared = scope.declared_type(output);
    const std::optional<int> rank =
        is_of_known_shape(declared) ? declared->tensor_type().shape().dim_size() : rank_of_both(types);
    if (!rank || *rank < rank_of_condition) return false;
    const auto name = [&](ValueId value) { return all_.model.value_name(value); };
    const onnx::NodeProto choice =
        node_of("Where", {name(node.inputs()[0]), name(results[0][index]), name(results[1][index])}, {name(output)});
    if (place_part(keep_node(all_.model, choice, node.opsets), scope, inside)) return false;
  }
  for_each_used(node, [&](ValueId value) { all_.left_over.released.push_back(value); });
  if (origin.is_made()) origin.findings->may_leave_unused = true;
  return true;
}

}  // namespace onnx_lower

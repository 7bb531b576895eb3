// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/before/expansion_size.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace onnx_lower {
namespace {

// A lower bound of the number of nodes that functions and the user's rules make of nodes; no more
// than `most` are counted. A node that is kept or attached is not expanded, and counts as one.
class ExpansionSize {
 public:
  ExpansionSize(Legalization& all, size_t most) : all_(all), most_(most) {}

  // Of the main graph, whose nodes are many and of few operators.
  size_t of_main() {
    std::vector<size_t> counts(all_.model.operator_count());
    for_each_node(all_.model.graph, [&](const Node& node) { ++counts[node.op]; });
    size_t size = 0;
    for (OperatorId op = 0; op < counts.size(); ++op) {
      if (counts[op] == 0) continue;
      const size_t each = of(op);
      size += each == 0 ? 0 : std::min(counts[op], most_ / each + 1) * each;
      size = std::min(size, most_);
    }
    return size;
  }

 private:
  size_t of(const Graph& graph) {
    size_t size = 0;
    for_each_node(graph, [&](const Node& node) { size = std::min(size + of(node.op), most_); });
    return size;
  }

  size_t of(OperatorId op) {
    // A rule that expands to itself is reported when it is expanded.
    const auto [known, inserted] = known_.try_emplace(op, 1);
    if (!inserted) return known->second;
    const Operator named = all_.model.op(op);
    const auto fits = [&](const OperatorPattern& pattern) { return pattern.fits(named.domain, named.op_type); };
    if (all_.options.keeps(named) || std::ranges::any_of(all_.options.attached, fits) || all_.options.attach_all)
      return 1;
    size_t size = 1;
    if (all_.library.has_user_rule(named.domain, named.op_type)) {
      size = most_;
      for (const Form* form : all_.library.forms(named.domain, named.op_type))
        size = std::min(size, form->origin == RuleOrigin::user ? of(form->function.node()) : 1);
    } else if (const Function* function = all_.known.functions.own(op)) {
      size = of(function->body);
    }
    return known_[op] = size;
  }

  size_t of(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    size_t size = 0;
    for (const onnx::NodeProto& node : nodes) {
      const OperatorId op = all_.model.intern_operator({node.domain(), node.op_type(), node.overload()});
      size = std::min(size + of(op), most_);
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) size = std::min(size + of(attribute.g().node()), most_);
      }
    }
    return size;
  }

  Legalization& all_;
  size_t most_;
  std::unordered_map<OperatorId, size_t> known_;
};

}  // namespace

void check_expansion_size(Legalization& all) {
  if (all.model.functions.empty() && !all.library.has_any_user_rule()) return;
  const size_t most = all.nodes_made.most();
  if (ExpansionSize(all, most).of_main() == most) all.nodes_made.fail();
}

}  // namespace onnx_lower

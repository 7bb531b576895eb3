// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/expansion_size.h"

#include <algorithm>

namespace onnx_lower {

size_t ExpansionSize::of(const Graph& graph, size_t most) {
  size_t size = 0;
  for_each_operator(graph, [&](OperatorId op) { size = std::min(size + of(op, most), most); });
  return size;
}

size_t ExpansionSize::of(OperatorId op, size_t most) {
  // A rule that comes round to itself is found when it is expanded.
  const auto [known, inserted] = known_.try_emplace(op, 1);
  if (!inserted) return known->second;
  const Operator named = all_.model.op(op);
  const auto fits = [&](const OperatorPattern& pattern) { return pattern.fits(named.domain, named.op_type); };
  if (std::ranges::any_of(all_.options.kept, fits) || std::ranges::any_of(all_.options.attached, fits) ||
      all_.options.attach_all)
    return 1;
  size_t size = 1;
  if (all_.library.has_user_rule(named.domain, named.op_type)) {
    size = most;
    for (const Form* form : all_.library.forms(named.domain, named.op_type)) {
      const bool is_user = form->origin == RuleOrigin::user;
      size = std::min(size, is_user ? of(form->function.node(), most) : 1);
    }
  } else if (const Function* function = all_.known.functions.own(op)) {
    size = of(function->body, most);
  }
  return known_[op] = size;
}

size_t ExpansionSize::of(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, size_t most) {
  size_t size = 0;
  for (const onnx::NodeProto& node : nodes) {
    const OperatorId op = all_.model.intern_operator({node.domain(), node.op_type(), node.overload()});
    size = std::min(size + of(op, most), most);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) size = std::min(size + of(attribute.g().node(), most), most);
    }
  }
  return size;
}

}  // namespace onnx_lower

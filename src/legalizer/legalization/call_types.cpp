// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legalization/call_types.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace onnx_lower {

void CallTypes::note(const GraphScope& scope, TypeInference& types) {
  if (model_.functions.empty()) return;
  for (const Node* node : scope.placed()) {
    const Function* function = node->is_run() ? nullptr : functions_.own(node->op);
    if (function == nullptr) continue;
    std::vector<int> found;
    for (const ValueId input : node->inputs())
      found.push_back(input == absent_value ? 0 : types.element_type(scope, input));
    while (!found.empty() && found.back() == 0) found.pop_back();
    const Index index = index_of(*function);
    const auto [call, is_new] = calls_[index].try_emplace(std::move(found), false);
    if (is_new) others_.push_back({index, call->first});
  }
}

std::vector<CallTypes::Index> CallTypes::called_by(const Function& function) const {
  std::unordered_set<Index> called;
  for_each_node(function.body, [&](const Node& node) {
    if (const Function* own = functions_.own(node.op)) called.insert(index_of(*own));
  });
  return {called.begin(), called.end()};
}

void CallTypes::declare_inputs(Function& function) {
  if (open_callers_.empty()) {
    open_callers_.resize(model_.functions.size(), 0);
    for (const Function& other : model_.functions) {
      for (const Index called : called_by(other)) ++open_callers_[called];
    }
  }
  for (const Index called : called_by(function)) --open_callers_[called];
  const Index index = index_of(function);
  const auto known = calls_.find(index);
  if (open_callers_[index] != 0 || known == calls_.end()) return;
  Calls& calls = known->second;
  std::vector<int> agreed = calls.begin()->first;
  for (const auto& [types, is_legalized] : calls) {
    agreed.resize(std::min(agreed.size(), types.size()));
    for (size_t input = 0; input < agreed.size(); ++input) {
      if (agreed[input] != types[input]) agreed[input] = 0;
    }
  }
  if (calls.size() == 1) calls.begin()->second = true;
  declare_inputs({index, std::move(agreed)});
}

std::optional<CallTypes::TypedCall> CallTypes::next_other_call() {
  while (!others_.empty()) {
    TypedCall call = std::move(others_.back());
    others_.pop_back();
    if (!std::exchange(calls_[call.function][call.types], true)) return call;
  }
  return std::nullopt;
}

void CallTypes::declare_inputs(const TypedCall& call) {
  Graph& body = model_.functions[call.function].body;
  for (size_t index = 0; index < body.inputs.size(); ++index) {
    ValueInfo& input = body.inputs[index];
    if (std::ranges::find(body.value_infos, input.value, &ValueInfo::value) != body.value_infos.end()) continue;
    const int type = index < call.types.size() ? call.types[index] : 0;
    input.wire = {};
    if (type == 0) continue;
    onnx::ValueInfoProto info;
    info.set_name(std::string(model_.value_name(input.value)));
    info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    input.wire = model_.keep(info.SerializeAsString());
  }
}

}  // namespace onnx_lower

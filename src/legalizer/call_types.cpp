// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/call_types.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace onnx_lower {

void CallTypes::note(const GraphScope& scope, TypeInference& types) {
  if (model_.functions.empty()) return;
  for (const Node* node : scope.placed()) {
    const Function* function = node->is_run() ? nullptr : functions_.own(node->op);
    if (function == nullptr) continue;
    const auto [known, is_first] = types_.try_emplace(index_of(*function), node->inputs().size(), 0);
    std::vector<int>& all = known->second;
    // An input that a call leaves out has no type in it.
    all.resize(std::max(all.size(), node->inputs().size()), 0);
    for (size_t index = 0; index < node->inputs().size(); ++index) {
      const ValueId input = node->inputs()[index];
      int type = input == absent_value ? 0 : scope.element_type(input);
      if (input != absent_value && type == 0) type = types.element_type(scope, input);
      if (is_first) {
        all[index] = type;
      } else if (all[index] != type) {
        all[index] = 0;
      }
    }
  }
}

std::vector<CallTypes::Index> CallTypes::called_by(const Function& function) const {
  std::unordered_set<Index> called;
  for_each_operator(function.body, [&](OperatorId op) {
    if (const Function* own = functions_.own(op)) called.insert(index_of(*own));
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
  const auto known = types_.find(index_of(function));
  if (open_callers_[index_of(function)] != 0 || known == types_.end()) return;
  std::vector<ValueInfo>& inputs = function.body.inputs;
  for (size_t index = 0; index < inputs.size() && index < known->second.size(); ++index) {
    const bool is_declared = !inputs[index].wire.empty() ||
                             std::ranges::find(function.body.value_infos, inputs[index].value, &ValueInfo::value) !=
                                 function.body.value_infos.end();
    if (known->second[index] == 0 || is_declared) continue;
    onnx::ValueInfoProto info;
    info.set_name(std::string(model_.value_name(inputs[index].value)));
    info.mutable_type()->mutable_tensor_type()->set_elem_type(known->second[index]);
    inputs[index].wire = model_.keep(info.SerializeAsString());
  }
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/knowledge/model_functions.h"

#include <fmt/format.h>

#include "error.h"
#include "model_file/protobuf_message.h"

namespace onnx_lower {

ModelFunctions::ModelFunctions(Model& model) : model_(model) {
  for (size_t index = 0; index < model.functions.size(); ++index) {
    const Function& function = model.functions[index];
    const OperatorId op = model.intern_operator({function.domain, function.name, function.overload});
    if (op >= own_.size()) own_.resize(op + 1);
    if (own_[op] == 0) own_[op] = index + 1;
  }
}

const Function* ModelFunctions::own(OperatorId op) const {
  return op >= own_.size() || own_[op] == 0 ? nullptr : &model_.functions[own_[op] - 1];
}

onnx::FunctionProto ModelFunctions::read(OperatorId op, Bytes function) const {
  onnx::FunctionProto message;
  if (!parse_message(message, function)) {
    const Operator& name = model_.op(op);
    throw InvalidInput(
        fmt::format("{}: function {} cannot be read", model_.input().path(), operator_name(name.domain, name.op_type)));
  }
  return message;
}

const onnx::FunctionProto* ModelFunctions::message(OperatorId op) {
  const auto known = messages_.find(op);
  if (known != messages_.end()) return &known->second;
  const auto added = added_.find(op);
  if (added == added_.end() && own(op) == nullptr) return nullptr;
  return &messages_.emplace(op, added == added_.end() ? read(op) : read(op, added->second)).first->second;
}

void ModelFunctions::find_called(const Graph& graph, std::vector<bool>& called, std::vector<size_t>& found) const {
  if (own_.empty()) return;
  for_each_node(graph, [&](const Node& node) { find_called(node.op, called, found); });
}

void ModelFunctions::find_called(OperatorId op, std::vector<bool>& called, std::vector<size_t>& found) const {
  if (op >= own_.size() || own_[op] == 0 || called[own_[op] - 1] || added_.contains(op)) return;
  called[own_[op] - 1] = true;
  found.push_back(own_[op] - 1);
}

}  // namespace onnx_lower

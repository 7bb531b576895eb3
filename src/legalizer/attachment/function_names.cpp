// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/attachment/function_names.h"

#include <fmt/format.h>

#include <utility>

#include "legalizer/body/body_instance.h"

namespace onnx_lower {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::NodeProto;

std::string_view without_prefix(std::string_view name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return name;
}

FunctionNames::FunctionNames(const Model& model, const Node& call, FunctionProto& function)
    : prefix_(std::string(name_prefix(model, call)) + "/") {
  for (int index = 0; index < function.input_size(); ++index) {
    const auto position = static_cast<size_t>(index);
    taken_.insert(function.input(index));
    if (position < call.inputs().size() && call.inputs()[position] != absent_value)
      names_.try_emplace(std::string(model.value_name(call.inputs()[position])), function.input(index));
  }
  std::unordered_map<std::string, int> repetitions;
  for (int index = 0; index < function.output_size(); ++index) {
    // An output of a form may be one of its inputs or another output; an output of a function is a
    // value of its own.
    const std::string name = function.output(index);
    while (!taken_.insert(function.output(index)).second) {
      const int repetition = ++repetitions[name];
      function.set_output(index, repetition == 1 ? name + "_output" : fmt::format("{}_output_{}", name, repetition));
    }
    names_[std::string(model.value_name(call.outputs()[static_cast<size_t>(index)]))] = function.output(index);
  }
}

void FunctionNames::rename(NodeProto& node) {
  for (AttributeProto& attribute : *node.mutable_attribute()) {
    if (attribute.ref_attr_name().empty()) continue;
    AttributeProto reference;
    reference.set_name(attribute.name());
    reference.set_type(attribute.type());
    reference.set_ref_attr_name(attribute.ref_attr_name());
    attribute = std::move(reference);
  }
  ValueRenaming::rename(node);
  if (!node.name().empty()) node.set_name(std::string(without_prefix(node.name(), prefix_)));
}

void FunctionNames::use(std::string& name) {
  // A rule reads the node's inputs and what it makes of them, and nothing else.
  if (const auto found = names_.find(name); found != names_.end()) name = found->second;
}

void FunctionNames::define(std::string& name) {
  if (name.empty()) return;
  const auto [found, inserted] = names_.try_emplace(name);
  if (inserted) {
    std::string own(without_prefix(name, prefix_));
    while (!taken_.insert(own).second) own += '_';
    found->second = std::move(own);
  }
  name = found->second;
}

}  // namespace onnx_lower

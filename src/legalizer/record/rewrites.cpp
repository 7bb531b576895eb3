// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/rewrites.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "legalizer/nodes/node_message.h"
#include "legalizer/record/shown_node.h"
#include "onnx/defs/printer.h"
#include "types/constants.h"
#include "types/schema_inference.h"
#include "types/type_inference.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

template <typename Number>
void append_number(std::string& key, Number number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// The same for all nodes of a kind, see Rewrite.
std::string key_of(const Node& node, const Candidate& candidate, std::span<const Node* const> made, bool attached) {
  std::string key(candidate.where_from);
  key += attached ? '\1' : '\0';
  append_number(key, node.op);
  for (const Node* each : made) {
    append_number(key, each->op);
    append_number(key, each->run_length);
  }
  return key;
}

// What is known of the values of one rewrite. What made nodes make is inferred from what is
// declared of the values that they read.
class KnownOfRewrite {
 public:
  // `infers`: what the model does not declare of the values from outside is inferred.
  KnownOfRewrite(const GraphScope& scope, Rewrite& rewrite, bool infers)
      : scope_(scope), rewrite_(rewrite), infers_(infers) {}

  // A value that stands before the node of the model.
  void add_outside(ValueId value);
  void add_made(const Node& node, const onnx::NodeProto& message);

 private:
  void add(const std::string& name, const onnx::TypeProto& type) {
    if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET) return;
    types_[name] = type;
    rewrite_.types[name] = onnx::ProtoToString(type);
  }

  static constexpr int64_t most_nodes_of_functions = 1'000;

  const GraphScope& scope_;
  Rewrite& rewrite_;
  const bool infers_;
  // Not the inference of the graph's legalization: what that was asked for shows in the output.
  InferredCalls calls_{most_nodes_of_functions};
  TypeInference inference_{calls_};
  std::unordered_map<std::string, onnx::TypeProto> types_;
  std::unordered_map<std::string, onnx::TensorProto> constants_;
  std::unordered_map<std::string, onnx::TensorShapeProto> elements_;
};

void KnownOfRewrite::add_outside(ValueId value) {
  const GraphScope* scope = defining_scope(&scope_, value);
  if (scope == nullptr) return;
  const std::string name(scope_.sources().model.value_name(value));
  constexpr size_t most_bytes = 256;
  if (const onnx::TensorProto* constant = scope->constant_up_to(value, most_bytes)) {
    constants_[name] = *constant;
    rewrite_.constants[name] = shown_tensor(*constant);
  } else if (const onnx::TypeProto* of_constant = scope->constant_type(value)) {
    rewrite_.constants[name] = onnx::ProtoToString(*of_constant);
  }
  onnx::TypeProto type;
  if (const onnx::TypeProto* of_constant = scope->constant_type(value)) {
    type = *of_constant;
  } else if (const onnx::TypeProto* declared = scope->declared_type(value)) {
    type = *declared;
  }
  if (infers_ && !has_shape(type)) {
    if (const onnx::TypeProto* inferred = inference_.type_of(scope_, value)) fill_from(type, *inferred);
  }
  if (const int element_type = scope->element_type(value); element_type != 0)
    fill_from(type, *tensor_type_of(element_type));
  add(name, type);
}

void KnownOfRewrite::add_made(const Node& node, const onnx::NodeProto& message) {
  if (std::optional<onnx::TensorProto> constant = tensor_of_constant_node(message); constant && !node.outputs().empty())
    constants_[message.output(0)] = *std::move(constant);
  std::vector<KnownValue> inputs;
  for (const std::string& name : message.input()) {
    KnownValue& known = inputs.emplace_back();
    if (const auto type = types_.find(name); type != types_.end()) known.type = &type->second;
    if (const auto constant = constants_.find(name); constant != constants_.end()) known.constant = &constant->second;
    if (const auto elements = elements_.find(name); elements != elements_.end()) known.elements = &elements->second;
  }
  const InferredNode inferred = infer_outputs(message, scope_.view(node).meaning, inputs, {}, scope_, calls_);
  for (int i = 0; i < message.output_size() && static_cast<size_t>(i) < inferred.outputs.size(); ++i) {
    add(message.output(i), inferred.outputs[static_cast<size_t>(i)].type);
    if (inferred.outputs[static_cast<size_t>(i)].elements)
      elements_[message.output(i)] = *inferred.outputs[static_cast<size_t>(i)].elements;
  }
}

void show(Legalization& all, const Node& node, std::span<const Node* const> made, const GraphScope& scope,
          Rewrite& rewrite) {
  Model& model = all.model;
  const size_t nodes_before = scope.placed().size();
  const bool infers = nodes_before <= all.nodes_to_show_types_of;
  if (infers) all.nodes_to_show_types_of -= nodes_before;
  KnownOfRewrite known(scope, rewrite, infers);
  const auto add_read = [&](const Node& each) {
    for_each_used(each, [&](ValueId value) { known.add_outside(value); });
  };
  rewrite.before = shown_node(model, node, node_message(model, node));
  add_read(node);
  const auto add = [&](const Node& each) {
    if (rewrite.after.size() >= Rewrite::most_shown) return;
    const onnx::NodeProto message = node_message(model, each);
    rewrite.after.push_back(shown_node(model, each, message));
    known.add_made(each, message);
  };
  for (const Node* each : made) {
    if (!each->is_run()) {
      add(*each);
    } else {
      for (const Node* of_run : nodes_of_run(model, *each)) add(*of_run);
    }
  }
  for (const ValueId output : node.outputs()) {
    if (output == absent_value) continue;
    const std::string name(model.value_name(output));
    const onnx::TypeProto* declared = scope.declared_type(output);
    if (declared != nullptr && !rewrite.types.contains(name)) rewrite.types[name] = onnx::ProtoToString(*declared);
  }
}

}  // namespace

uint32_t note_rewrite(Legalization& all, const Node& node, const Candidate& candidate,
                      std::span<const Node* const> made, const GraphScope& scope, bool attached) {
  std::vector<Rewrite>& rewrites = all.result.rewrites;
  const auto [kind, is_new] =
      all.rewrite_kinds.try_emplace(key_of(node, candidate, made, attached), static_cast<uint32_t>(rewrites.size()));
  if (is_new) {
    const Operator& op = all.model.op(node.op);
    Rewrite rewrite;
    rewrite.op = operator_name(op.domain, op.op_type);
    rewrite.where_from = candidate.where_from;
    rewrite.attached = attached;
    for (const Node* each : made) rewrite.nodes_made += each->is_run() ? each->run_length : 1;
    show(all, node, made, scope, rewrite);
    rewrites.push_back(std::move(rewrite));
  }
  ++rewrites[kind->second].nodes;
  return kind->second;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The call site that a rule sees: a node with the values around it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "constant_folding/known_tensor.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "rules/native_rule.h"
#include "standard_operators/default_value.h"
#include "types/type_inference.h"

namespace onnx_lower {

// What is known before the model runs of a value that a node of the scope may read, nullptr where
// nothing is: see KnownTensors.
using FindKnown = std::function<const KnownTensor*(const GraphScope& scope, ValueId value)>;

// The node must be about to be placed, as all nodes before it are legal then.
class Call final : public CallSite {
 public:
  // `message` is the node, and must outlive this. `opset` is the version of ai.onnx that the
  // written graph imports. `takes_lists_apart`: whether a rule may read the tensors of a list that
  // a SequenceConstruct makes. Without `find_known`, constants alone are known.
  Call(const onnx::NodeProto& message, const Node& node, const GraphScope& scope, TypeInference& types, int64_t opset,
       bool takes_lists_apart, const Legalization& all, FindKnown find_known = {})
      : node_(message),
        inputs_(node.inputs()),
        scope_(scope),
        types_(types),
        version_(scope.facts(node).version),
        opset_(opset),
        own_opset_(all.known.contexts.version(scope.context(node), "")),
        takes_lists_apart_(takes_lists_apart),
        all_(all),
        find_known_(std::move(find_known)) {}

  const onnx::NodeProto& node() const override { return node_; }
  int64_t opset() const override { return opset_; }
  int64_t own_opset() const override { return own_opset_; }
  std::optional<int64_t> version() const override {
    return version_ == nullptr ? std::nullopt : std::optional<int64_t>(version_->since_version);
  }
  bool says_default(const onnx::AttributeProto& attribute) const override {
    return version_ != nullptr && onnx_lower::says_default(attribute, *version_);
  }
  const onnx::TypeProto* input_type(int input, Detail detail) const override;
  const onnx::TypeProto* output_type(int output) const override;
  const onnx::TensorProto* constant(int input) const override;
  std::optional<StoredTensor> stored_constant(int input) const override;
  const onnx::TensorProto* captured_constant(std::string_view name) const override;
  int captured_dtype(std::string_view name) const override;
  std::optional<std::vector<int64_t>> known_ints(int input) const override;
  std::optional<std::vector<int64_t>> known_captured_ints(std::string_view name) const override;
  int64_t most_steps() const override { return all_.options.most_steps; }
  bool is_made_by(int input, std::string_view op_type) const override;
  bool may_take_input_of_cast(int input) const override;
  bool is_read_by(int output, std::span<const std::string> op_types) const override;
  bool is_read_by_others(int output, std::initializer_list<std::string_view> op_types) const override;
  std::optional<int> list_size(int input) const override;
  bool may_take_lists_apart() const override { return takes_lists_apart_; }
  const onnx::TypeProto* item_type(int input, int item, Detail detail) const override;
  void expect_nodes(size_t count) const override { all_.nodes_made.expect(count); }

 private:
  NodeView list(int input) const;
  std::optional<std::vector<int64_t>> known_ints_of(ValueId value) const;

  const onnx::NodeProto& node_;
  std::span<const ValueId> inputs_;
  const GraphScope& scope_;
  TypeInference& types_;
  const OperatorVersion* version_;  // null for an operator that ONNX does not define
  int64_t opset_;
  int64_t own_opset_;  // the version of ai.onnx that the node is written for
  bool takes_lists_apart_;
  const Legalization& all_;
  FindKnown find_known_;
};

}  // namespace onnx_lower

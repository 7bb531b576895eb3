// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a target's condition may ask about a node that is about to be placed: its names are those of
// the operator's schema.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "legalizer/knowledge/readers.h"
#include "legalizer/legality/known_tensors.h"
#include "legalizer/scope/graph_scope.h"
#include "rules/conditions/condition.h"
#include "standard_operators/operator_table.h"
#include "types/type_inference.h"

namespace onnx_lower {

// What a condition on a whole model may ask. The model must outlive it.
class ModelFacts : public ConditionFacts {
 public:
  explicit ModelFacts(const Model& model) : model_(model) {}

  std::optional<bool> has_model_output(int element_type) const override;
  int64_t opset() const override { return model_.opset(""); }

 protected:
  const Model& model_;
};

// All that it is given must outlive it.
class NodeFacts final : public ModelFacts {
 public:
  // `message`: the node as it will be written, where that is at hand. `version`: null for an
  // operator that ONNX does not define. Without `types`, nothing is inferred; without `known`, only
  // element types are, and nothing is computed from constants and shapes.
  NodeFacts(const Model& model, const Readers& readers, const Node& node, const onnx::NodeProto* message,
            const OperatorVersion* version, const GraphScope& scope, TypeInference* types, KnownTensors* known,
            int64_t opset)
      : ModelFacts(model),
        readers_(readers),
        node_(node),
        message_(message),
        version_(version),
        scope_(scope),
        types_(types),
        known_(known),
        opset_(opset) {}

  // Of the node, or the schema's default.
  const onnx::AttributeProto* attribute(std::string_view name) const override;
  bool is_given(std::string_view attribute) const override;
  const onnx::TypeProto* type(std::string_view value, Detail detail) const override;
  // Not known of an input that is absent, nor of what is computed from constants and shapes: a
  // runtime may find that it does not change. What is computed from the elements of a graph's input
  // is none.
  std::optional<bool> is_constant(std::string_view value) const override;
  bool is_present(std::string_view value) const override;
  bool is_made_by(std::string_view value, std::span<const std::string> op_types) const override;
  bool is_read_by(std::string_view value, std::span<const std::string> op_types) const override;
  bool is_iteration(std::string_view value) const override;
  bool is_nonnegative(std::string_view value) const override;
  bool is_positive(std::string_view value) const override;
  bool is_known(std::string_view value) const override;
  bool is_stretched(std::string_view value) const override;
  bool is_static(std::string_view value) const override;
  bool is_model_output(std::string_view value) const override;
  int64_t opset() const override { return opset_; }
  std::optional<int64_t> version() const override {
    return version_ == nullptr ? std::nullopt : std::optional<int64_t>(version_->since_version);
  }

 private:
  // absent_value when the node has no such input, or output.
  ValueId input(std::string_view name) const;
  ValueId output(std::string_view name) const;
  // Of an input or an output of that name.
  ValueId named(std::string_view name) const {
    const ValueId read = input(name);
    return read == absent_value ? output(name) : read;
  }
  // Of what nodes compute of constants and shapes; nothing when it is not known, or no numbers that
  // a double holds.
  std::optional<std::vector<double>> known_elements(ValueId value) const;
  const onnx::TypeProto* type_of_known(ValueId value) const;
  // Of what a Reshape makes whose shape nodes compute of constants and shapes.
  const onnx::TypeProto* type_of_reshaped(ValueId value) const;

  const Readers& readers_;
  const Node& node_;
  const onnx::NodeProto* message_;
  const OperatorVersion* version_;
  const GraphScope& scope_;
  TypeInference* types_;
  KnownTensors* known_;
  int64_t opset_;
  mutable std::map<std::string, onnx::AttributeProto, std::less<>>
      attributes_;  // that were asked for, or their defaults
  mutable std::map<ValueId, onnx::TypeProto> types_of_known_;
};

// Whether all elements of a value that the scope sees are known to be above 0, or true, where the
// scope's nodes run: by what the value is, or by the condition of an If in whose branch they stand.
bool is_positive_here(const GraphScope& scope, ValueId value);

}  // namespace onnx_lower

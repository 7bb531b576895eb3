// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a condition in a target's file may ask about a node that is about to be placed. It names the
// node's values and attributes as the operator's schema does.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "legalizer/knowledge/readers.h"
#include "legalizer/legality/known_tensors.h"
#include "legalizer/scope/graph_declarations.h"
#include "legalizer/scope/graph_scope.h"
#include "rules/conditions/condition.h"
#include "standard_operators/operator_table.h"
#include "types/type_inference.h"

namespace onnx_lower {

// What a condition on a whole model may ask. The model must outlive this.
class ModelFacts : public ConditionFacts {
 public:
  explicit ModelFacts(const Model& model) : model_(model) {}

  std::optional<bool> has_model_output(int element_type) const override {
    bool all_known = true;
    for (const ValueInfo& output : model_.graph.outputs) {
      const int declared = declared_element_type(output);
      if (declared != 0 && declared == element_type) return true;
      all_known &= declared != 0;
    }
    return all_known ? std::optional(false) : std::nullopt;
  }
  int64_t opset() const override { return model_.opset(""); }

 protected:
  const Model& model_;
};

// All arguments must outlive this.
class NodeFacts final : public ModelFacts {
 public:
  // `message`: the node as it will be written; null where that message is not at hand.
  // `version`: null for an operator that ONNX does not define. Where `types` is null, nothing is
  // inferred; where `known` is null, only element types are, and nothing is computed from
  // constants and shapes.
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

  // The node's attribute, or else the schema's default; nullptr where there is neither.
  const onnx::AttributeProto* attribute(std::string_view name) const override;
  bool is_given(std::string_view attribute) const override;
  const onnx::TypeProto* type(std::string_view value, Detail detail) const override;
  // nullopt for an absent input, and for a value that is computed from constants and shapes: a
  // runtime may find that such a value is constant. A value that is computed from the elements of a
  // graph input is not constant.
  std::optional<bool> is_constant(std::string_view value) const override;
  bool is_present(std::string_view value) const override;
  bool is_made_by(std::string_view value, std::span<const std::string> op_types) const override;
  bool is_behind(std::string_view value, std::string_view op_type) const override;
  bool is_read_by(std::string_view value, std::span<const std::string> op_types) const override;
  bool holds(std::span<const std::string> op_types) const override { return holds(node_, op_types); }
  bool is_iteration(std::string_view value) const override;
  bool is_accumulated(std::string_view value) const override;
  bool is_nonnegative(std::string_view value) const override;
  bool is_positive(std::string_view value) const override;
  bool is_zero(std::string_view value) const override;
  bool is_known(std::string_view value) const override;
  bool is_stretched(std::string_view value) const override;
  bool is_static(std::string_view value) const override;
  bool is_ranked(std::string_view value) const override;
  bool is_model_output(std::string_view value) const override;
  int64_t opset() const override { return opset_; }
  std::optional<int64_t> version() const override {
    return version_ == nullptr ? std::nullopt : std::optional<int64_t>(version_->since_version);
  }

 private:
  // The input or output of that name; absent_value when the node has none.
  ValueId input(std::string_view name) const;
  ValueId output(std::string_view name) const;
  bool holds(const Node& node, std::span<const std::string> op_types) const;
  // The input of that name, or else the output.
  ValueId named(std::string_view name) const {
    const ValueId read = input(name);
    return read == absent_value ? output(name) : read;
  }
  // Whether `is_whole` holds of the type of an input, or of those of all outputs that the name
  // stands for.
  bool has_type(std::string_view name, bool (*is_whole)(const onnx::TypeProto* type)) const;
  // The elements of a value that is known before the model runs; nullopt where it is not, or where
  // its elements are no numbers that a double holds.
  std::optional<std::vector<double>> known_elements(ValueId value) const;
  // The elements of an input of integers that is known before the model runs, as the attribute
  // `value_of_x`; nullptr for all others.
  const onnx::AttributeProto* elements_as_attribute(std::string_view name) const;
  // What the model declares of an output of the node, or else what an attribute of the node gives.
  const onnx::TypeProto* type_of_output(ValueId made, Detail detail) const;
  // The types of a value that is known before the model runs, and of the output of a Reshape whose
  // shape is known so; nullptr for all other values.
  const onnx::TypeProto* type_of_known(ValueId value) const;
  const onnx::TypeProto* type_of_reshaped(ValueId value) const;

  const Readers& readers_;
  const Node& node_;
  const onnx::NodeProto* message_;
  const OperatorVersion* version_;
  const GraphScope& scope_;
  TypeInference* types_;
  KnownTensors* known_;
  int64_t opset_;
  // The attributes and defaults that were asked for.
  mutable std::map<std::string, onnx::AttributeProto, std::less<>> attributes_;
  mutable std::map<ValueId, onnx::TypeProto> types_of_known_;
  // The types of the outputs, inferred from the node, which is not placed yet, and its subgraphs;
  // nothing until they are asked for.
  mutable std::optional<std::vector<onnx::TypeProto>> types_made_;
};

}  // namespace onnx_lower

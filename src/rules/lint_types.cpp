// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/lint_types.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx/defs/schema.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;

using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

constexpr uint64_t all_types = ~uint64_t{0};

// Knows of one value only what its element type is; opset and presence are as somebody supposes.
class TypeFacts : public ConditionFacts {
 public:
  TypeFacts(std::string_view value, int element_type, int64_t opset, bool all_present)
      : value_(value), opset_(opset), all_present_(all_present) {
    type_.mutable_tensor_type()->set_elem_type(element_type);
  }
  const AttributeProto* attribute(std::string_view) const override { return nullptr; }
  const onnx::TypeProto* type(std::string_view value, Detail) const override {
    return value == value_ ? &type_ : nullptr;
  }
  bool is_constant(std::string_view) const override { return all_present_; }
  bool is_present(std::string_view) const override { return all_present_; }
  int64_t opset() const override { return opset_; }

 private:
  std::string_view value_;
  int64_t opset_;
  bool all_present_;
  onnx::TypeProto type_;
};

// Values whose element types must be the same, with the types that are left for them.
class TypeClasses {
 public:
  // The class of a value, as the index of its representative.
  std::size_t of(const std::string& value) {
    const auto [found, is_new] = indices_.emplace(value, parents_.size());
    if (is_new) {
      parents_.push_back(parents_.size());
      allowed_.push_back(all_types);
    }
    std::size_t index = found->second;
    while (parents_[index] != index) index = parents_[index];
    return index;
  }

  void allow(const std::string& value, uint64_t types) { allowed_[of(value)] &= types; }

  void unite(const std::string& one, const std::string& other) {
    const std::size_t first = of(one);
    const std::size_t second = of(other);
    if (first == second) return;
    parents_[second] = first;
    allowed_[first] &= allowed_[second];
  }

  uint64_t allowed(const std::string& value) { return allowed_[of(value)]; }

 private:
  std::unordered_map<std::string, std::size_t> indices_;
  std::vector<std::size_t> parents_;
  std::vector<uint64_t> allowed_;
};

class TypeChoice {
 public:
  explicit TypeChoice(const Form& form) : form_(form) {
    for (const auto& import : form.function.opset_import()) opsets_[import.domain()] = import.version();
  }

  std::map<std::string, onnx::TypeProto> run() {
    std::map<std::string, onnx::TypeProto> types;
    for (const auto& info : form_.function.value_info()) {
      if (info.type().has_tensor_type()) classes_.allow(info.name(), bit(info.type().tensor_type().elem_type()));
      types[info.name()] = info.type();
    }
    note(form_.function.node());
    for (const std::string& input : form_.function.input()) heed_condition(input);

    static constexpr int candidates[] = {
        TensorProto::FLOAT,  TensorProto::INT64,   TensorProto::BOOL,     TensorProto::INT32,  TensorProto::UINT8,
        TensorProto::INT8,   TensorProto::INT16,   TensorProto::UINT16,   TensorProto::UINT32, TensorProto::UINT64,
        TensorProto::DOUBLE, TensorProto::FLOAT16, TensorProto::BFLOAT16, TensorProto::STRING, TensorProto::COMPLEX64};
    std::map<std::string, onnx::TypeProto> chosen;
    for (const std::string& input : form_.function.input()) {
      if (const auto declared = types.find(input); declared != types.end()) {
        chosen[input] = declared->second;
        continue;
      }
      // Where no type will do, float shows in type inference's own words what does not fit.
      chosen[input].mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
      for (const int candidate : candidates) {
        if ((classes_.allowed(input) & bit(candidate)) == 0) continue;
        chosen[input].mutable_tensor_type()->set_elem_type(candidate);
        break;
      }
    }
    return chosen;
  }

 private:
  static uint64_t bit(int element_type) { return uint64_t{1} << element_type; }

  // A type is ruled out if the condition is false with it whatever the rest may be.
  void heed_condition(const std::string& input) {
    if (!form_.where || form_.where->text().find("dtype") == std::string::npos) return;
    uint64_t allowed = all_types;
    for (int type = 1; type < 63; ++type) {
      if (!may_hold(input, type)) allowed &= ~bit(type);
    }
    classes_.allow(input, allowed);
  }

  bool may_hold(const std::string& input, int type) const {
    for (int64_t opset = newest_opset(""); opset > 0; --opset) {
      for (const bool present : {true, false}) {
        if (form_.where->evaluate(TypeFacts(input, type, opset, present)).truth != ConditionResult::Truth::no)
          return true;
      }
    }
    return false;
  }

  void note(const NodeList& nodes) {
    for (const NodeProto& node : nodes) {
      note(node);
      for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) note(attribute.g().node());
      }
    }
  }

  void note(const NodeProto& node) {
    const auto opset = opsets_.find(node.domain());
    if (opset == opsets_.end()) return;
    const OperatorVersion* version = find_operator(node.domain(), node.op_type(), opset->second);
    const onnx::OpSchema* schema =
        onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset->second), node.domain());
    if (version == nullptr || schema == nullptr) return;
    if (const int fixed = fixed_output_type(node); fixed != 0 && node.output_size() > 0)
      classes_.allow(node.output(0), bit(fixed));
    std::map<std::string, std::string> first_of_variable;
    const auto note_value = [&](const std::string& value, const OperatorParameter* parameter,
                                const std::vector<onnx::OpSchema::FormalParameter>& formals, int index) {
      if (value.empty() || parameter == nullptr || formals.empty()) return;
      classes_.allow(value, parameter->types);
      const auto& formal = formals[std::min(static_cast<std::size_t>(index), formals.size() - 1)];
      if (formal.GetOption() == onnx::OpSchema::Variadic && !formal.GetIsHomogeneous()) return;
      const auto [first, is_new] = first_of_variable.emplace(formal.GetTypeStr(), value);
      if (!is_new) classes_.unite(first->second, value);
    };
    for (int i = 0; i < node.input_size(); ++i) note_value(node.input(i), version->input(i), schema->inputs(), i);
    for (int i = 0; i < node.output_size(); ++i) note_value(node.output(i), version->output(i), schema->outputs(), i);
  }

  // What an attribute says of the output's type; 0 when none does.
  static int fixed_output_type(const NodeProto& node) {
    for (const AttributeProto& attribute : node.attribute()) {
      const std::string& name = attribute.name();
      if (node.op_type() == "Cast" && name == "to") return static_cast<int>(attribute.i());
      if (node.op_type() == "ConstantOfShape" && name == "value") return attribute.t().data_type();
      if (node.op_type() != "Constant") continue;
      if (name == "value") return attribute.t().data_type();
      if (name == "value_float" || name == "value_floats") return TensorProto::FLOAT;
      if (name == "value_int" || name == "value_ints") return TensorProto::INT64;
      if (name == "value_string" || name == "value_strings") return TensorProto::STRING;
    }
    return 0;
  }

  const Form& form_;
  std::map<std::string, int64_t, std::less<>> opsets_;
  TypeClasses classes_;
};

}  // namespace

std::map<std::string, onnx::TypeProto> input_types_of(const Form& form) { return TypeChoice(form).run(); }

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_check/lint_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "model_file/tensor_skeleton.h"
#include "onnx/defs/schema.h"
#include "rules/values/element_type.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;

using NodeList = google::protobuf::RepeatedPtrField<NodeProto>;

constexpr uint64_t all_types = ~uint64_t{0};

// The facts of a node of which only these are known: the element type of one value, the opset, and
// whether optional inputs are present.
class TypeFacts : public ConditionFacts {
 public:
  TypeFacts(std::string_view value, int element_type, int64_t opset, bool all_present)
      : value_(value), opset_(opset), all_present_(all_present) {
    type_.mutable_tensor_type()->set_elem_type(element_type);
  }
  bool is_given(std::string_view) const override { return all_present_; }
  const onnx::TypeProto* type(std::string_view value, Detail) const override {
    return value == value_ ? &type_ : nullptr;
  }
  std::optional<bool> is_constant(std::string_view) const override { return all_present_; }
  bool is_present(std::string_view) const override { return all_present_; }
  int64_t opset() const override { return opset_; }

 private:
  std::string_view value_;
  int64_t opset_;
  bool all_present_;
  onnx::TypeProto type_;
};

// Groups values that must have the same element type, and keeps the types that each group may have.
class TypeClasses {
 public:
  // The group of a value, as the index of its representative.
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

  std::vector<MixedType> mixed(std::span<const Form> forms) {
    for (const auto& info : form_.function.value_info()) {
      if (info.type().has_tensor_type()) declare(info.name(), info.type().tensor_type().elem_type());
    }
    for (const std::string& input : form_.function.input()) heed_condition(input);
    std::vector<MixedType> found;
    std::set<std::string> told;
    for (int node = 0; node < form_.function.node_size(); ++node) {
      note_all(form_.function.node(node));
      for (const std::string& input : form_.function.input()) {
        const uint64_t left = classes_.allowed(input) & floats;
        const uint64_t lost_here = open_.allowed(input) & floats & ~left;
        if (!std::has_single_bit(left) || lost_here == 0) continue;
        // The operator's other forms are looked through only here, since there can be
        // any number of them.
        const uint64_t lost = lost_here & ~types_of_others(input, forms);
        if (lost == 0 || !told.insert(input).second) continue;
        found.push_back(
            {node,
             fmt::format("{0} may be of {1} too, and here only {2} fits, the type of a constant: put a CastLike behind "
                         "the constant, or write dtype({0}) == {2} as the form's condition",
                         input, names_of(lost), names_of(left))});
      }
    }
    return found;
  }

  std::map<std::string, onnx::TypeProto> run() {
    std::map<std::string, onnx::TypeProto> types;
    for (const auto& info : form_.function.value_info()) {
      if (info.type().has_tensor_type()) declare(info.name(), info.type().tensor_type().elem_type());
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
      // Where no type is possible, type inference gets float, and its message shows
      // what does not fit.
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

  static constexpr uint64_t floats = uint64_t{1} << TensorProto::FLOAT | uint64_t{1} << TensorProto::DOUBLE |
                                     uint64_t{1} << TensorProto::FLOAT16 | uint64_t{1} << TensorProto::BFLOAT16;

  static std::string names_of(uint64_t types) {
    std::string names;
    for (const int type : {TensorProto::FLOAT, TensorProto::FLOAT16, TensorProto::BFLOAT16, TensorProto::DOUBLE}) {
      if ((types & bit(type)) != 0) names += fmt::format("{}{}", names.empty() ? "" : ", ", element_type_name(type));
    }
    return names;
  }

  void declare(const std::string& value, int element_type) { allow(value, bit(element_type)); }

  void allow(const std::string& value, uint64_t types) {
    classes_.allow(value, types);
    open_.allow(value, types);
  }

  void heed_condition(const std::string& input) { allow(input, types_of_condition(form_, input)); }

  // A type is ruled out if the condition is false with it, whatever the rest may be.
  static uint64_t types_of_condition(const Form& form, const std::string& input) {
    if (!form.where || form.where->text().find("dtype") == std::string::npos) return all_types;
    uint64_t ruled_out = 0, possible = 0;
    for (int type = 1; type < 62; ++type) (may_hold(form, input, type) ? possible : ruled_out) |= bit(type);
    // A condition that requires something certain of another input is always false while nothing is
    // known of that input, which says nothing about the types of this one.
    return possible == 0 ? all_types : all_types & ~ruled_out;
  }

  static bool may_hold(const Form& form, const std::string& input, int type) {
    for (int64_t opset = newest_opset(""); opset > 0; --opset) {
      for (const bool present : {true, false}) {
        if (form.where->evaluate(TypeFacts(input, type, opset, present)).truth != ConditionResult::Truth::no)
          return true;
      }
    }
    return false;
  }

  // The element types for which the operator has other forms, according to their conditions.
  uint64_t types_of_others(const std::string& input, std::span<const Form> forms) const {
    uint64_t types = 0;
    for (const Form& other : forms) {
      if (&other == &form_ || other.function.domain() != form_.function.domain() ||
          other.function.name() != form_.function.name())
        continue;
      const uint64_t of_condition = types_of_condition(other, input);
      if (of_condition != all_types) types |= of_condition;
    }
    return types;
  }

  void note(const NodeList& nodes) {
    for (const NodeProto& node : nodes) note_all(node);
  }

  void note_all(const NodeProto& node) {
    note(node);
    for (const AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) note(attribute.g().node());
    }
  }

  void note(const NodeProto& node) {
    const auto opset = opsets_.find(node.domain());
    if (opset == opsets_.end()) return;
    const OperatorVersion* version = find_operator(node.domain(), node.op_type(), opset->second);
    const onnx::OpSchema* schema =
        onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset->second), node.domain());
    if (version == nullptr || schema == nullptr) return;
    if (const int fixed = fixed_output_type(node, *version); fixed != 0 && node.output_size() > 0)
      classes_.allow(node.output(0), bit(fixed));
    std::map<std::string, std::string> first_of_variable;
    const auto note_value = [&](const std::string& value, const OperatorParameter* parameter,
                                const std::vector<onnx::OpSchema::FormalParameter>& formals, int index) {
      if (value.empty() || parameter == nullptr || formals.empty()) return;
      allow(value, parameter->types);
      const auto& formal = formals[std::min(static_cast<std::size_t>(index), formals.size() - 1)];
      if (formal.GetOption() == onnx::OpSchema::Variadic && !formal.GetIsHomogeneous()) return;
      const auto [first, is_new] = first_of_variable.emplace(formal.GetTypeStr(), value);
      if (is_new) return;
      classes_.unite(first->second, value);
      open_.unite(first->second, value);
    };
    for (int i = 0; i < node.input_size(); ++i) note_value(node.input(i), version->input(i), schema->inputs(), i);
    for (int i = 0; i < node.output_size(); ++i) note_value(node.output(i), version->output(i), schema->outputs(), i);
  }

  // The output type that an attribute fixes; 0 when none does.
  static int fixed_output_type(const NodeProto& node, const OperatorVersion& version) {
    if (role_of(node.op_type()) == OperatorRole::constant) return element_type_of_constant(node.SerializeAsString());
    const ElementTypeSource source = element_type_source(version, 0);
    return source.attribute == nullptr ? 0 : element_type_of_attribute(*source.attribute, version, node);
  }

  const Form& form_;
  std::map<std::string, int64_t, std::less<>> opsets_;
  TypeClasses classes_;
  TypeClasses open_;  // as `classes_`, without the types that constants and casts fix
};

}  // namespace

std::vector<MixedType> mixed_types_of(const Form& form, std::span<const Form> forms) {
  return TypeChoice(form).mixed(forms);
}

std::map<std::string, onnx::TypeProto> input_types_of(const Form& form) { return TypeChoice(form).run(); }

}  // namespace onnx_lower

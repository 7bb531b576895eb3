// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Conditions and definitions of rules: what parses can be evaluated, and both ways to evaluate a
// condition agree.

#include <map>
#include <string>

#include "fuzz/fuzz_target.h"
#include "rules/conditions/condition.h"
#include "rules/conditions/definition.h"

namespace onnx_lower::fuzz {
namespace {

// Attributes and values of every kind that a condition may ask about, and of each kind one of which
// nothing is known.
class Facts : public ConditionFacts {
 public:
  Facts() {
    add("alpha", onnx::AttributeProto::FLOAT).set_f(0.1F);
    add("k", onnx::AttributeProto::INT).set_i(3);
    add("approximate", onnx::AttributeProto::STRING).set_s("tanh");
    add("axes", onnx::AttributeProto::INTS).add_ints(-1);
    add("scales", onnx::AttributeProto::FLOATS).add_floats(1.5F);
    add("names", onnx::AttributeProto::STRINGS);
    add("tensor", onnx::AttributeProto::TENSOR).mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
    auto& x = *types_["x"].mutable_tensor_type();
    x.set_elem_type(onnx::TensorProto::FLOAT16);
    x.mutable_shape()->add_dim()->set_dim_value(2);
    x.mutable_shape()->add_dim()->set_dim_param("N");
    types_["scalar"].mutable_tensor_type()->mutable_shape();
    types_["untyped"];
    types_["sequence"].mutable_sequence_type();
  }

  const onnx::AttributeProto* attribute(std::string_view name) const override { return find(attributes_, name); }
  bool is_given(std::string_view name) const override { return attribute(name) != nullptr; }
  const onnx::TypeProto* type(std::string_view value, Detail) const override { return find(types_, value); }
  std::optional<bool> is_constant(std::string_view value) const override { return value == "axes"; }
  bool is_present(std::string_view value) const override { return value != "bias"; }
  int64_t opset() const override { return 17; }
  std::optional<int64_t> version() const override { return 13; }

 private:
  onnx::AttributeProto& add(const std::string& name, onnx::AttributeProto::AttributeType type) {
    attributes_[name].set_type(type);
    return attributes_[name];
  }

  template <typename Value>
  static const Value* find(const std::map<std::string, Value, std::less<>>& values, std::string_view name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }

  std::map<std::string, onnx::AttributeProto, std::less<>> attributes_;
  std::map<std::string, onnx::TypeProto, std::less<>> types_;
};

}  // namespace

void run_condition(std::string_view input) {
  static const Facts facts;
  try {
    for (const Definition& definition : Definition::parse(input)) {
      const Definition::Result result = definition.evaluate(facts);
      if (!result.value && result.reason.empty()) fail("it has no value, and nothing says why");
      if (result.value && result.value->name() != definition.name()) fail("its value has another name");
    }
  } catch (const ConditionError& error) {
    if (error.offset() > input.size()) fail("the error is behind the text");
  }
  try {
    const Condition condition = Condition::parse(input);
    const ConditionResult result = condition.evaluate(facts);
    if (condition.holds(facts) != result.holds()) fail("the two ways to evaluate it disagree");
    if (!result.holds() && result.reason.empty()) fail("it does not hold, and nothing says why");
    if (condition.text() != input) fail("it is another text");
    for (const auto& names : {condition.attribute_names(), condition.value_names()}) {
      for (const Condition::Name& name : names) {
        if (!std::string_view(condition.text()).substr(name.offset).starts_with(name.name))
          fail("'" + name.name + "' does not stand where it is said to stand");
      }
    }
  } catch (const ConditionError& error) {
    if (error.offset() > input.size()) fail("the error is behind the text");
    if (std::string_view(error.what()).empty()) fail("the error says nothing");
  }
}

}  // namespace onnx_lower::fuzz

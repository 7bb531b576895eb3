// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/form_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "counted.h"
#include "model_file/attribute_head.h"
#include "rules/values/constant_value.h"
#include "rules/values/converted_attribute.h"
#include "spelling.h"
#include "standard_operators/node_attribute.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

// What the names in a form's condition mean at a call.
class FormFacts : public ConditionFacts {
 public:
  FormFacts(const Form& form, const CallSite& call, const AttributeBinding& binding)
      : form_(form), call_(call), binding_(binding) {}

  const AttributeProto* attribute(std::string_view name) const override { return binding_.find(name); }
  bool is_given(std::string_view name) const override { return call_.attribute(name) != nullptr; }
  const onnx::TypeProto* type(std::string_view value, Detail detail) const override {
    if (const std::optional<int> input = index(form_.function.input(), value)) return call_.input_type(*input, detail);
    if (const std::optional<int> output = index(form_.function.output(), value)) return call_.output_type(*output);
    return nullptr;
  }
  std::optional<bool> is_constant(std::string_view value) const override {
    const std::optional<int> input = index(form_.function.input(), value);
    return input && call_.constant(*input) != nullptr;
  }
  bool is_present(std::string_view value) const override {
    if (const std::optional<int> input = index(form_.function.input(), value)) return call_.has_input(*input);
    const std::optional<int> output = index(form_.function.output(), value);
    return output && call_.has_output(*output);
  }
  bool is_read_by(std::string_view value, std::span<const std::string> op_types) const override {
    const std::optional<int> output = index(form_.function.output(), value);
    return output && call_.is_read_by(*output, op_types);
  }
  int64_t opset() const override { return call_.opset(); }
  std::optional<int64_t> version() const override { return call_.version(); }

 private:
  template <typename Names>
  static std::optional<int> index(const Names& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<int>(found - names.begin());
  }

  const Form& form_;
  const CallSite& call_;
  const AttributeBinding& binding_;
};

AttributeProto integer_attribute(int64_t value) {
  AttributeProto attribute;
  attribute.set_type(AttributeProto::INT);
  attribute.set_i(value);
  return attribute;
}

Detail detail_of(BoundAttribute::Kind kind) {
  if (kind == BoundAttribute::Kind::dtype) return Detail::element_type;
  return kind == BoundAttribute::Kind::rank ? Detail::shape : Detail::dimensions;
}

// The most bytes that the values take which the definitions of a form (its `let`s) make at one
// call. They are kept while the nodes of the call are made, and bodies may be expanded in bodies.
constexpr std::size_t most_defined = 2 << 20;

// How many bytes the value takes in memory.
std::size_t size_of(const AttributeProto& attribute) {
  std::size_t size = attribute.s().size() + static_cast<std::size_t>(attribute.ints_size()) * sizeof(int64_t) +
                     static_cast<std::size_t>(attribute.floats_size()) * sizeof(float);
  for (const std::string& text : attribute.strings()) size += sizeof(text) + text.size();
  return size;
}

// The value of an attribute that the form binds to a type, shape or constant of the call; nullopt
// when it is not known.
std::optional<AttributeProto> known_value(const BoundAttribute& wanted, const CallSite& call) {
  const bool absent = wanted.is_output ? !call.has_output(wanted.index) : !call.has_input(wanted.index);
  if (absent) return std::nullopt;
  if (wanted.kind == BoundAttribute::Kind::value) {
    const onnx::TensorProto* constant = wanted.is_output ? nullptr : call.constant(wanted.index);
    return constant == nullptr ? std::nullopt : attribute_of_constant(*constant);
  }
  const onnx::TypeProto* type =
      wanted.is_output ? call.output_type(wanted.index) : call.input_type(wanted.index, detail_of(wanted.kind));
  if (wanted.kind == BoundAttribute::Kind::dtype) {
    if (type == nullptr || !type->has_tensor_type() || type->tensor_type().elem_type() == 0) return std::nullopt;
    return integer_attribute(type->tensor_type().elem_type());
  }
  const onnx::TensorShapeProto* shape = shape_of(type);
  if (shape == nullptr) return std::nullopt;
  switch (wanted.kind) {
    case BoundAttribute::Kind::rank:
      return integer_attribute(shape->dim_size());
    case BoundAttribute::Kind::dim: {
      const int64_t axis = wanted.axis < 0 ? wanted.axis + shape->dim_size() : wanted.axis;
      if (axis < 0 || axis >= shape->dim_size() || !shape->dim(static_cast<int>(axis)).has_dim_value())
        return std::nullopt;
      return integer_attribute(shape->dim(static_cast<int>(axis)).dim_value());
    }
    default: {
      AttributeProto dims;
      dims.set_type(AttributeProto::INTS);
      for (const auto& dim : shape->dim()) {
        if (!dim.has_dim_value()) return std::nullopt;
        dims.add_ints(dim.dim_value());
      }
      return dims;
    }
  }
}

bool is_of_shape(BoundAttribute::Kind kind) {
  return kind == BoundAttribute::Kind::rank || kind == BoundAttribute::Kind::dims || kind == BoundAttribute::Kind::dim;
}

std::string unknown_reason(const BoundAttribute& wanted) {
  switch (wanted.kind) {
    case BoundAttribute::Kind::dtype:
      return fmt::format("the element type of '{}' is not known", wanted.value_name);
    case BoundAttribute::Kind::rank:
      return fmt::format("the rank of '{}' is not known", wanted.value_name);
    case BoundAttribute::Kind::dims:
      return fmt::format("not all dimensions of '{}' are known", wanted.value_name);
    case BoundAttribute::Kind::dim:
      return fmt::format("dimension {} of '{}' is not known", wanted.axis, wanted.value_name);
    default:
      return fmt::format("'{}' is not a constant", wanted.value_name);
  }
}

// The attribute's name without the suffix of its type; empty where it has none, or the suffix is
// not that of the attribute's type. torch's symbolic functions write an attribute's type behind its
// name (`alpha_f`). torch strips that when it exports, and others that write such nodes do not.
std::string_view without_type_suffix(const AttributeProto& attribute) {
  const std::string_view name = attribute.name();
  const auto without = [&](std::string_view suffix) {
    return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : std::string_view();
  };
  switch (attribute.type()) {
    case AttributeProto::FLOAT:
    case AttributeProto::FLOATS:
      return without("_f");
    case AttributeProto::INT:
    case AttributeProto::INTS:
      return without("_i");
    case AttributeProto::STRING:
    case AttributeProto::STRINGS:
      return without("_s");
    default:
      return {};
  }
}

// Notes the reason, if somebody wants it. Always false: the form does not fit.
template <typename Words>
bool refused(Refusal* refusal, Words words) {
  if (refusal != nullptr) refusal->reason = words();
  return false;
}

// The same where the node has other inputs, outputs or attributes than the form.
template <typename Words>
bool refused_by_signature(Refusal* refusal, Words words) {
  if (refusal != nullptr) refusal->is_of_signature = true;
  return refused(refusal, words);
}

// The same of an attribute that the form does not declare.
bool refused_as_unknown(const Form& form, const CallSite& call, const std::string& attribute, Refusal* refusal) {
  if (refusal != nullptr) {
    std::vector<std::string> known;
    for (const DeclaredAttribute& declared : form.attributes) {
      known.emplace_back(declared.name);
      if (declared.required() && call.attribute(declared.name) == nullptr)
        refusal->lacking_beside.push_back(declared.name);
    }
    refusal->refused_attribute = attribute;
    refusal->similar_attribute = nearest_name(attribute, known);
  }
  return refused_by_signature(refusal, [&] { return fmt::format("the rule does not know attribute '{}'", attribute); });
}

// The attributes of a node by name. A node can have any number of them.
class GivenAttributes {
 public:
  explicit GivenAttributes(const onnx::NodeProto& node) : node_(node) {
    constexpr int few = 16;
    if (node.attribute_size() <= few) return;
    for (const AttributeProto& attribute : node.attribute()) by_name_.emplace(attribute.name(), &attribute);
  }

  const AttributeProto* find(std::string_view name) const {
    if (!by_name_.empty()) {
      const auto found = by_name_.find(name);
      return found == by_name_.end() ? nullptr : found->second;
    }
    return find_attribute(node_, name);
  }

  // The attribute whose name is `name` and the suffix of its type; nullptr when there is none.
  const AttributeProto* find_suffixed(std::string_view name) const {
    const auto found = std::ranges::find(node_.attribute(), name, without_type_suffix);
    return found == node_.attribute().end() ? nullptr : &*found;
  }

 private:
  const onnx::NodeProto& node_;
  std::unordered_map<std::string_view, const AttributeProto*> by_name_;
};

// The name that two attributes of the node have; empty when there is none.
std::string_view name_given_twice(const onnx::NodeProto& node) {
  constexpr int few = 16;
  const auto& attributes = node.attribute();
  if (attributes.size() <= few) {
    for (int index = 1; index < attributes.size(); ++index) {
      for (int before = 0; before < index; ++before) {
        if (attributes[before].name() == attributes[index].name()) return attributes[index].name();
      }
    }
    return {};
  }
  std::vector<std::string_view> names;
  for (const AttributeProto& attribute : attributes) names.push_back(attribute.name());
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  return twice == names.end() ? std::string_view() : *twice;
}

// Whether the form is for calls with these numbers of inputs and outputs and these attributes.
bool fits_signature(const Form& form, const CallSite& call, Refusal* refusal) {
  const onnx::FunctionProto& function = form.function;
  if (!function.overload().empty() && function.overload() != call.node().overload()) {
    return refused_by_signature(refusal,
                                [&] { return fmt::format("it is for the overload '{}'", function.overload()); });
  }
  if (call.input_count() > function.input_size()) {
    return refused_by_signature(refusal, [&] {
      return fmt::format("the node has {}, and the rule takes {}", counted(call.input_count(), "input"),
                         function.input_size());
    });
  }
  if (call.output_count() > function.output_size()) {
    return refused_by_signature(refusal, [&] {
      return fmt::format("the node has {}, and the rule makes {}", counted(call.output_count(), "output"),
                         function.output_size());
    });
  }
  // A model's own function defines what the node means: an attribute that the function does not
  // declare has no effect.
  if (form.origin != RuleOrigin::model) {
    for (const AttributeProto& given : call.node().attribute()) {
      if (form.attribute(given.name()) != nullptr || call.says_default(given)) continue;
      const std::string_view plain = without_type_suffix(given);
      if (plain.empty() || form.attribute(plain) == nullptr || find_attribute(call.node(), plain) != nullptr)
        return refused_as_unknown(form, call, given.name(), refusal);
    }
  }
  return true;
}

// Binds the attributes that the form declares. False where one without a default is missing, or is
// of a type that cannot be converted.
bool bind_declared(const Form& form, const CallSite& call, AttributeBinding& binding, Refusal* refusal) {
  std::vector<std::string> missing;
  const GivenAttributes all_given(call.node());
  for (const DeclaredAttribute& declared : form.attributes) {
    const AttributeProto* given = all_given.find(declared.name);
    if (given == nullptr && form.origin != RuleOrigin::model) given = all_given.find_suffixed(declared.name);
    if (given == nullptr) {
      if (const AttributeProto* fallback = form.default_of(declared)) {
        binding.add(declared.name, *fallback);
      } else if (form.origin != RuleOrigin::model) {
        if (refusal == nullptr) return false;
        missing.push_back(declared.name);
      }
      continue;
    }
    if (declared.type == AttributeProto::UNDEFINED || declared.type == given->type()) {
      binding.add(declared.name, *given);
      continue;
    }
    std::optional<AttributeProto> fitting = converted(*given, declared.type);
    if (!fitting) {
      if (refusal != nullptr) refusal->refused_attribute = declared.name;
      return refused(refusal, [&] {
        return fmt::format("attribute '{}' is {}, and the rule takes {}", declared.name,
                           attribute_type_name(given->type()), attribute_type_name(declared.type));
      });
    }
    binding.add_owned(declared.name, std::move(*fitting));
  }
  if (missing.empty()) return true;
  refusal->reason = missing_text(missing);
  refusal->missing_attributes = std::move(missing);
  return false;
}

}  // namespace

std::optional<std::string> problem_of_attributes(const onnx::NodeProto& node) {
  const std::string_view twice = name_given_twice(node);
  if (!twice.empty()) return fmt::format("it has the attribute '{}' twice", twice);
  for (const AttributeProto& attribute : node.attribute()) {
    if (!attribute.ref_attr_name().empty()) continue;
    if (attribute.type() == AttributeProto::UNDEFINED)
      return fmt::format("the type of its attribute '{}' is missing", attribute.name());
    if (holds_a_message(attribute.type()) && !has_value(attribute)) {
      return fmt::format("its attribute '{}' says that it is {}, and holds none", attribute.name(),
                         attribute_type_name(attribute.type()));
    }
    // An attribute without a value is a zero or an empty list: some writers leave these out.
    const bool holds_another = !has_value(attribute) && (attribute.has_f() || attribute.has_i() || attribute.has_s() ||
                                                         attribute.has_t() || attribute.floats_size() > 0 ||
                                                         attribute.ints_size() > 0 || attribute.strings_size() > 0);
    if (holds_another) {
      return fmt::format("its attribute '{}' says that it is {}, and holds something else", attribute.name(),
                         attribute_type_name(attribute.type()));
    }
  }
  return std::nullopt;
}

bool bind(const Form& form, const CallSite& call, AttributeBinding& binding, Refusal* refusal) {
  if (!fits_signature(form, call, refusal) || !bind_declared(form, call, binding, refusal)) return false;
  for (const BoundAttribute& wanted : form.bound) {
    std::optional<AttributeProto> value = known_value(wanted, call);
    if (!value) {
      if (refusal != nullptr) refusal->wants_shapes = is_of_shape(wanted.kind);
      return refused(refusal, [&] { return unknown_reason(wanted); });
    }
    binding.add_owned(wanted.name, std::move(*value));
  }
  if (!form.where && form.definitions.empty()) return true;
  const FormFacts facts(form, call, binding);
  std::size_t defined = 0;
  for (std::size_t index = 0; index <= form.definitions.size(); ++index) {
    if (form.where && index == form.definitions_before_where && !form.where->holds(facts))
      return refused(refusal, [&] { return form.where->evaluate(facts).reason; });
    if (index == form.definitions.size()) break;
    Definition::Result result = form.definitions[index].evaluate(facts);
    if (!result.value) return refused(refusal, [&] { return std::move(result.reason); });
    defined += size_of(*result.value);
    if (defined > most_defined)
      return refused(refusal,
                     [] { return fmt::format("what the rule defines takes more than {} bytes", most_defined); });
    binding.add_owned(form.definitions[index].name(), *std::move(result.value));
  }
  return true;
}

}  // namespace onnx_lower

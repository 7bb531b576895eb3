// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/native_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "domain.h"
#include "error.h"
#include "rules/constant_value.h"
#include "rules/converted_attribute.h"
#include "rules/form.h"
#include "rules/rule_text.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

constexpr const char* assumption_key = "assumption";

const NativeRule::Registration* newest_registration = nullptr;

const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) return nullptr;
  return &type->tensor_type().shape();
}

// Thrown by the getters of attributes, and caught by lower_natively.
struct UnfitAttribute {
  std::string reason;
};

// The attribute in the type that the rule asks for.
AttributeProto in_type(const AttributeProto& attribute, AttributeProto::AttributeType type) {
  if (attribute.type() == type) return attribute;
  if (std::optional<AttributeProto> fitting = converted(attribute, type)) return *std::move(fitting);
  throw UnfitAttribute{fmt::format("attribute '{}' is {}, and the rule takes {}", attribute.name(),
                                   attribute_type_name(attribute.type()), attribute_type_name(type))};
}

std::optional<int> element_type_of(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type()) return std::nullopt;
  const int element = type->tensor_type().elem_type();
  if (element == TensorProto::UNDEFINED) return std::nullopt;
  return element;
}

}  // namespace

NativeRule::Registration::Registration(const NativeRule& registered) : rule(registered), next(newest_registration) {
  newest_registration = this;
}

const NativeRule::Registration* NativeRule::first() { return newest_registration; }

std::vector<OperatorName> NativeRule::names() const {
  std::vector<OperatorName> names = {{normalized_domain(domain), op_type}};
  const auto others = operator_names(also);
  if (!others) throw InternalError(fmt::format("the native rule {} is also '{}'", op_type, also));
  names.insert(names.end(), others->begin(), others->end());
  return names;
}

const NativeRule* NativeRule::find(std::string_view domain, std::string_view op_type) {
  for (const Registration* registered = first(); registered != nullptr; registered = registered->next) {
    const NativeRule& rule = registered->rule;
    if (rule.op_type == op_type && normalized_domain(rule.domain) == domain) return &rule;
    if (rule.also.find(op_type) == std::string_view::npos) continue;
    const std::vector<OperatorName> names = rule.names();
    if (std::ranges::find(names, OperatorName{domain, op_type}) != names.end()) return &rule;
  }
  return nullptr;
}

std::optional<int> CallSite::dtype(int input) const { return element_type_of(input_type(input, Detail::element_type)); }

std::optional<int> CallSite::rank(int input) const {
  const onnx::TensorShapeProto* shape = shape_of(input_type(input, Detail::shape));
  if (shape == nullptr) return std::nullopt;
  return shape->dim_size();
}

std::optional<int> CallSite::item_dtype(int input, int item) const {
  return element_type_of(item_type(input, item, Detail::element_type));
}

std::optional<int> CallSite::item_rank(int input, int item) const {
  const onnx::TensorShapeProto* shape = shape_of(item_type(input, item, Detail::shape));
  if (shape == nullptr) return std::nullopt;
  return shape->dim_size();
}

std::optional<int64_t> CallSite::dim(int input, int axis) const {
  const onnx::TensorShapeProto* shape = shape_of(input_type(input));
  if (shape == nullptr) return std::nullopt;
  if (axis < 0) axis += shape->dim_size();
  if (axis < 0 || axis >= shape->dim_size() || !shape->dim(axis).has_dim_value()) return std::nullopt;
  return shape->dim(axis).dim_value();
}

std::optional<std::vector<int64_t>> CallSite::constant_ints(int input) const {
  const TensorProto* tensor = constant(input);
  return tensor == nullptr ? std::nullopt : integer_elements(*tensor);
}

std::optional<std::vector<double>> CallSite::constant_floats(int input) const {
  const TensorProto* tensor = constant(input);
  return tensor == nullptr ? std::nullopt : float_elements(*tensor);
}

const AttributeProto* CallSite::attribute(std::string_view name) const {
  for (const AttributeProto& attribute : node().attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

int64_t CallSite::attribute_int(std::string_view name, int64_t fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  return in_type(*found, AttributeProto::INT).i();
}

float CallSite::attribute_float(std::string_view name, float fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  return in_type(*found, AttributeProto::FLOAT).f();
}

std::string CallSite::attribute_string(std::string_view name, std::string_view fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return std::string(fallback);
  return in_type(*found, AttributeProto::STRING).s();
}

std::vector<int64_t> CallSite::attribute_ints(std::string_view name, std::vector<int64_t> fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  const AttributeProto list = in_type(*found, AttributeProto::INTS);
  return {list.ints().begin(), list.ints().end()};
}

std::optional<std::string> CallSite::unknown_attribute(std::initializer_list<std::string_view> known) const {
  for (const AttributeProto& attribute : node().attribute()) {
    if (std::ranges::find(known, attribute.name()) == known.end()) return attribute.name();
  }
  return std::nullopt;
}

Lowering lower_natively(const NativeRule& rule, const CallSite& site) {
  try {
    Lowering lowering = rule.lower(site);
    if (const auto* function = std::get_if<onnx::FunctionProto>(&lowering);
        function != nullptr && function->output_size() < site.output_count()) {
      return Declined{.reason = fmt::format("the node has {} outputs, and the operator makes {}", site.output_count(),
                                            function->output_size()),
                      .is_of_signature = true};
    }
    return lowering;
  } catch (UnfitAttribute& attribute) {
    return Declined{std::move(attribute.reason)};
  }
}

onnx::FunctionProto function_from_text(std::string_view text) {
  // A model's nodes of one operator mostly get one and the same text; bounded, since some texts hold what only one node has.
  constexpr std::size_t most_remembered = 64;
  static std::unordered_map<std::string, onnx::FunctionProto> remembered;
  if (remembered.size() >= most_remembered) remembered.clear();
  const auto [known, is_new] = remembered.try_emplace(std::string(text));
  if (!is_new) return known->second;
  try {
    RuleText parsed = parse_rule_text(text, "a native rule's text", RuleOrigin::built_in);
    if (parsed.forms.size() != 1)
      throw InternalError(fmt::format("a native rule's text holds {} functions", parsed.forms.size()));
    return known->second = std::move(parsed.forms.front().function);
  } catch (const InvalidInput& error) {
    remembered.erase(known);
    throw InternalError(error.what());
  }
}

void add_assumption(onnx::FunctionProto& function, const std::string& text) {
  auto* entry = function.add_metadata_props();
  entry->set_key(assumption_key);
  entry->set_value(text);
}

std::string_view assumption(const onnx::FunctionProto& function) {
  for (const auto& entry : function.metadata_props()) {
    if (entry.key() == assumption_key) return entry.value();
  }
  return {};
}

}  // namespace onnx_lower

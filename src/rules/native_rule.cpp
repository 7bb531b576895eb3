// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/native_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "domain.h"
#include "error.h"
#include "rules/text/form.h"
#include "rules/values/constant_value.h"
#include "rules/values/converted_attribute.h"
#include "spelling.h"
#include "standard_operators/node_attribute.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

constexpr const char* assumption_key = "assumption";
constexpr const char* maker_key = "takes the inputs of the node before it";

// Created when the first rule is registered, which may be before other objects of this file exist.
std::vector<const NativeRule*>& registered_rules() {
  static std::vector<const NativeRule*> rules;
  return rules;
}

// A file in which rules are registered: those from number `first_rule` on, up to that
// of the next file.
struct RegisteredFile {
  size_t first_rule;
  const char* path;
};

std::vector<RegisteredFile>& registered_files() {
  static std::vector<RegisteredFile> files;
  return files;
}

// The folder of the rule's domain below rules/, and the name of the rule's file, which may be in
// any sub-folder of that folder.
std::pair<std::string_view, std::string_view> file_of(size_t rule) {
  const auto behind = std::ranges::upper_bound(registered_files(), rule, {}, &RegisteredFile::first_rule);
  std::string_view path = (behind - 1)->path;
  constexpr std::string_view folder = "rules/";
  if (const size_t begin = path.rfind(folder); begin != std::string_view::npos)
    path.remove_prefix(begin + folder.size());
  return {path.substr(0, path.find('/')), path.substr(path.rfind('/') + 1)};
}

// Thrown by the members of CallSite, and caught by lower_natively().
struct Unfit {
  std::string reason;
  // The input that the reason is about, if any: its number and name then stand between `reason` and
  // `behind`, as in "the rank of " … " is not known".
  int input = -1;
  std::string behind = {};
  bool wants_shapes = false;
  std::string attribute = {};  // of which the type is not what the rule takes
  int64_t steps = 0;           // see Declined
};

// The attribute, converted to the type that the rule asks for.
AttributeProto in_type(const AttributeProto& attribute, AttributeProto::AttributeType type) {
  if (is_open(attribute)) throw Unfit{open_attribute_reason(attribute.name())};
  if (attribute.type() == type) return attribute;
  if (std::optional<AttributeProto> fitting = converted(attribute, type)) return *std::move(fitting);
  throw Unfit{.reason = fmt::format("attribute '{}' is {}, and the rule takes {}", attribute.name(),
                                    attribute_type_name(attribute.type()), attribute_type_name(type)),
              .attribute = attribute.name()};
}

// Calls `visit` with each name of a list with commas.
template <typename Visit>
void for_each_name(std::string_view names, Visit visit) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(", "), names.size());
    visit(names.substr(0, end));
    names.remove_prefix(std::min(end + 2, names.size()));
  }
}

// The input with its number and name, as in "input 2 (gamma)".
std::string named_input(const NativeRule& rule, int input) {
  std::string text = fmt::format("input {}", input);
  int index = 0;
  for_each_name(rule.inputs, [&](std::string_view name) {
    if (index++ == input) text += fmt::format(" ({})", name);
  });
  return text;
}

bool is_among(std::string_view name, std::string_view names) {
  bool found = false;
  for_each_name(names, [&](std::string_view one) { found |= one == name; });
  return found;
}

// Why the node does not have the signature that the rule declares; nothing if it does.
std::optional<Declined> problem_of_signature(const NativeRule& rule, const CallSite& site) {
  for (const AttributeProto& attribute : site.node().attribute()) {
    if (rule.takes_any_attribute || is_among(attribute.name(), rule.attributes) || site.says_default(attribute))
      continue;
    std::vector<std::string> known;
    for_each_name(rule.attributes, [&](std::string_view name) { known.emplace_back(name); });
    return Declined{.reason = fmt::format("the rule does not know attribute '{}'", attribute.name()),
                    .is_of_signature = true,
                    .refused_attribute = attribute.name(),
                    .similar_attribute = nearest_name(attribute.name(), known)};
  }
  if (site.input_count() > rule.most_inputs) {
    return Declined{
        .reason = fmt::format("the node has {} inputs, and the rule takes {}", site.input_count(), rule.most_inputs),
        .is_of_signature = true};
  }
  for (int input = 0; input < rule.needed_inputs; ++input) {
    if (!site.has_input(input)) return Declined{named_input(rule, input) + " is absent"};
  }
  std::vector<std::string> missing;
  for_each_name(rule.required_attributes, [&](std::string_view name) {
    if (site.attribute(name) == nullptr) missing.emplace_back(name);
  });
  if (missing.empty()) return std::nullopt;
  std::string reason = missing_text(missing);
  return Declined{.reason = std::move(reason), .missing_attributes = std::move(missing)};
}

bool is_size(int64_t number) { return number >= -CallSite::largest_size && number <= CallSite::largest_size; }

std::optional<int64_t> number_of_dim(const onnx::TensorShapeProto* shape, int axis) {
  if (shape == nullptr) return std::nullopt;
  if (axis < 0) axis += shape->dim_size();
  if (axis < 0 || axis >= shape->dim_size() || !shape->dim(axis).has_dim_value()) return std::nullopt;
  return shape->dim(axis).dim_value();
}

int64_t need_size(int64_t number, std::string_view attribute) {
  if (!is_size(number)) decline(fmt::format("attribute '{}' is {}, more than any size can be", attribute, number));
  return number;
}

std::optional<int> element_type_of(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type()) return std::nullopt;
  const int element = type->tensor_type().elem_type();
  if (element == TensorProto::UNDEFINED) return std::nullopt;
  return element;
}

std::optional<int> rank_of(const onnx::TypeProto* type) {
  const onnx::TensorShapeProto* shape = shape_of(type);
  return shape == nullptr ? std::nullopt : std::optional(shape->dim_size());
}

// Removes references to attributes. A rule's function has no attributes: those that it copied from
// the call have their values, also where the call is in a form and refers to its attributes, and
// the form may become a function of the model.
void write_values(onnx::FunctionProto& function) {
  for (onnx::NodeProto& node : *function.mutable_node()) {
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (!is_open(attribute)) attribute.clear_ref_attr_name();
    }
  }
}

// Whether the operator is among the rule's other names. These are parsed only if the text contains
// the name, since a model may have a hundred thousand operators, and each is looked up.
bool is_also(const NativeRule& rule, std::string_view domain, std::string_view op_type) {
  const auto ends_name = [](char c) { return c == ',' || c == ' ' || c == '\t' || c == '\r'; };
  for (size_t at = rule.also.find(op_type); at != std::string_view::npos; at = rule.also.find(op_type, at + 1)) {
    const size_t end = at + op_type.size();
    if (!rule.also.substr(0, at).ends_with("::") || (end < rule.also.size() && !ends_name(rule.also[end]))) continue;
    const std::vector<OperatorName> names = rule.names();
    return std::ranges::find(names, OperatorName{domain, op_type}) != names.end();
  }
  return false;
}

}  // namespace

NativeRule::Registration::Registration(std::span<const NativeRule> rules, const char* file) {
  registered_files().push_back({registered_rules().size(), file});
  for (const NativeRule& rule : rules) registered_rules().push_back(&rule);
}

const std::vector<const NativeRule*>& NativeRule::all() { return registered_rules(); }

std::vector<OperatorName> NativeRule::names() const {
  std::vector<OperatorName> names = {{normalized_domain(domain), op_type}};
  const auto others = operator_names(also);
  if (!others) throw InternalError(fmt::format("the native rule {} is also '{}'", op_type, also));
  names.insert(names.end(), others->begin(), others->end());
  return names;
}

std::vector<const NativeRule*> NativeRule::find_all(std::string_view domain, std::string_view op_type) {
  const std::vector<const NativeRule*>& rules = registered_rules();
  std::vector<size_t> found;
  for (size_t index = 0; index < rules.size(); ++index) {
    const NativeRule& rule = *rules[index];
    const bool is_its_name = rule.op_type == op_type && normalized_domain(rule.domain) == domain;
    if (is_its_name || (!rule.also.empty() && is_also(rule, domain, op_type))) found.push_back(index);
  }
  if (found.size() > 1) {
    std::ranges::stable_sort(found, {}, [&](size_t index) { return std::pair(rules[index]->turn, file_of(index)); });
  }
  std::vector<const NativeRule*> in_order;
  for (const size_t index : found) in_order.push_back(rules[index]);
  return in_order;
}

const NativeRule* NativeRule::find(std::string_view domain, std::string_view op_type) {
  const std::vector<const NativeRule*> found = find_all(domain, op_type);
  return found.empty() ? nullptr : found.front();
}

std::optional<int> CallSite::dtype(int input) const { return element_type_of(input_type(input, Detail::element_type)); }

std::optional<int> CallSite::rank(int input) const { return rank_of(input_type(input, Detail::shape)); }

std::optional<int> CallSite::item_dtype(int input, int item) const {
  return element_type_of(item_type(input, item, Detail::element_type));
}

std::optional<int> CallSite::item_rank(int input, int item) const {
  return rank_of(item_type(input, item, Detail::shape));
}

std::optional<int64_t> CallSite::dim(int input, int axis) const {
  const std::optional<int64_t> size = number_of_dim(shape_of(input_type(input)), axis);
  return size && is_size(*size) ? size : std::nullopt;
}

std::optional<std::vector<int64_t>> CallSite::constant_ints(int input) const {
  const TensorProto* tensor = constant(input);
  return tensor == nullptr ? std::nullopt : integer_elements(*tensor);
}

std::optional<std::vector<int64_t>> CallSite::known_captured_ints(std::string_view name) const {
  const TensorProto* tensor = captured_constant(name);
  return tensor == nullptr ? std::nullopt : integer_elements(*tensor);
}

std::optional<std::vector<double>> CallSite::constant_floats(int input) const {
  const TensorProto* tensor = constant(input);
  return tensor == nullptr ? std::nullopt : float_elements(*tensor);
}

const AttributeProto* CallSite::attribute(std::string_view name) const { return find_attribute(node(), name); }

const AttributeProto* CallSite::known_attribute(std::string_view name) const {
  const AttributeProto* found = attribute(name);
  if (found != nullptr && is_open(*found)) throw Unfit{open_attribute_reason(name)};
  return found;
}

int64_t CallSite::attribute_int(std::string_view name, int64_t fallback) const {
  const AttributeProto* found = attribute(name);
  return found == nullptr ? fallback : need_size(in_type(*found, AttributeProto::INT).i(), name);
}

float CallSite::attribute_float(std::string_view name, float fallback) const {
  const AttributeProto* found = attribute(name);
  return found == nullptr ? fallback : in_type(*found, AttributeProto::FLOAT).f();
}

std::string CallSite::attribute_string(std::string_view name, std::string_view fallback) const {
  const AttributeProto* found = attribute(name);
  return found == nullptr ? std::string(fallback) : in_type(*found, AttributeProto::STRING).s();
}

std::vector<int64_t> CallSite::attribute_ints(std::string_view name, std::vector<int64_t> fallback) const {
  if (attribute(name) == nullptr) return fallback;
  std::vector<int64_t> given = attribute_bounds(name);
  for (const int64_t number : given) need_size(number, name);
  return given;
}

std::vector<float> CallSite::attribute_floats(std::string_view name, std::vector<float> fallback) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return fallback;
  const AttributeProto list = in_type(*found, AttributeProto::FLOATS);
  return {list.floats().begin(), list.floats().end()};
}

std::vector<int64_t> CallSite::attribute_bounds(std::string_view name) const {
  const AttributeProto* found = attribute(name);
  if (found == nullptr) return {};
  const AttributeProto list = in_type(*found, AttributeProto::INTS);
  return {list.ints().begin(), list.ints().end()};
}

int CallSite::need_dtype(int input) const {
  if (const std::optional<int> type = dtype(input)) return *type;
  throw Unfit{"the type of ", input, " is not known"};
}

int CallSite::need_rank(int input) const {
  if (const std::optional<int> known = rank(input)) return *known;
  throw Unfit{"the rank of ", input, " is not known", true};
}

int64_t CallSite::need_dim(int input, int axis) const {
  if (const std::optional<int64_t> known = dim(input, axis)) return *known;
  if (const std::optional<int64_t> number = number_of_dim(shape_of(input_type(input)), axis))
    throw Unfit{fmt::format("dimension {} of ", axis), input,
                fmt::format(" is {}, more than any size can be", *number)};
  throw Unfit{fmt::format("dimension {} of ", axis), input, " is not known", true};
}

void CallSite::need_few_steps(int64_t steps) const {
  if (steps <= most_steps()) return;
  throw Unfit{.reason = fmt::format("it has {} steps, and no more than {} are written one by one", steps, most_steps()),
              .steps = steps};
}

std::vector<int64_t> CallSite::need_ints(int input) const {
  std::optional<std::vector<int64_t>> given = constant_ints(input);
  if (!given) throw Unfit{{}, input, " is not a constant"};
  return *std::move(given);
}

std::vector<int64_t> CallSite::need_ints(int input, std::size_t count) const {
  std::optional<std::vector<int64_t>> given = constant_ints(input);
  if (!given || given->size() != count) throw Unfit{{}, input, fmt::format(" is not a constant of {} numbers", count)};
  return *std::move(given);
}

std::vector<int64_t> CallSite::need_sizes(int input, std::size_t count) const {
  std::vector<int64_t> given = need_ints(input, count);
  for (const int64_t number : given) {
    if (!is_size(number)) throw Unfit{{}, input, fmt::format(" holds {}, more than any size can be", number)};
  }
  return given;
}

std::string CallSite::need_choice(std::string_view attribute, std::string_view fallback,
                                  std::initializer_list<std::string_view> words) const {
  std::string word = attribute_string(attribute, fallback);
  if (std::ranges::find(words, word) == words.end())
    throw Unfit{fmt::format("it does not know the {} '{}'", attribute, word)};
  return word;
}

int64_t CallSite::need_number(int input, int64_t fallback) const {
  if (!has_input(input)) return fallback;
  const auto given = constant_ints(input);
  if (!given || given->size() != 1) throw Unfit{{}, input, " is not a constant number"};
  return given->front();
}

std::string CallSite::need_text(int input, std::string_view fallback) const {
  if (!has_input(input)) return std::string(fallback);
  const onnx::TensorProto* given = constant(input);
  if (given == nullptr || given->string_data_size() != 1) throw Unfit{{}, input, " is not a constant string"};
  return given->string_data(0);
}

Lowering lower_natively(const NativeRule& rule, const CallSite& site) {
  if (std::optional<Declined> declined = problem_of_signature(rule, site)) return *std::move(declined);
  try {
    Lowering lowering = rule.lower(site);
    if (auto* function = std::get_if<onnx::FunctionProto>(&lowering); function != nullptr) {
      if (function->output_size() < site.output_count()) {
        return Declined{.reason = fmt::format("the node has {} outputs, and the operator makes {}", site.output_count(),
                                              function->output_size()),
                        .is_of_signature = true};
      }
      write_values(*function);
    }
    return lowering;
  } catch (Unfit& unfit) {
    if (unfit.input < 0)
      return Declined{
          .reason = std::move(unfit.reason), .refused_attribute = std::move(unfit.attribute), .steps = unfit.steps};
    Declined declined{unfit.reason + named_input(rule, unfit.input) + unfit.behind};
    declined.wants_shapes = unfit.wants_shapes;
    return declined;
  }
}

void decline(std::string reason) { throw Unfit{std::move(reason)}; }

int64_t need_axis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) decline(fmt::format("axis {} is out of range", axis));
  return axis < 0 ? axis + rank : axis;
}

void add_assumption(onnx::FunctionProto& function, const std::string& text, std::string_view otherwise) {
  const std::string said = fmt::format("{}; if that is not so, {}", text, otherwise);
  for (auto& entry : *function.mutable_metadata_props()) {
    if (entry.key() != assumption_key) continue;
    entry.set_value(fmt::format("{}; and {}", entry.value(), said));
    return;
  }
  auto* entry = function.add_metadata_props();
  entry->set_key(assumption_key);
  entry->set_value(said);
}

std::string_view assumption(const onnx::FunctionProto& function) {
  for (const auto& entry : function.metadata_props()) {
    if (entry.key() == assumption_key) return entry.value();
  }
  return {};
}

void add_inputs_of_maker(onnx::FunctionProto& function, const std::vector<std::string>& names) {
  for (const std::string& name : names) function.add_input(name);
  function.add_metadata_props()->set_key(maker_key);
}

bool takes_inputs_of_maker(const onnx::FunctionProto& function) {
  return std::ranges::any_of(function.metadata_props(), [](const auto& entry) { return entry.key() == maker_key; });
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "error.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/printer.h"
#include "rules/text/constant_like.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

void normalize_domains(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
  for (onnx::NodeProto& node : nodes) {
    if (node.domain() == "ai.onnx") node.clear_domain();
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) normalize_domains(*attribute.mutable_g()->mutable_node());
      for (onnx::GraphProto& graph : *attribute.mutable_graphs()) normalize_domains(*graph.mutable_node());
    }
  }
}

void normalize_domains(onnx::FunctionProto& function) {
  if (function.domain() == "ai.onnx") function.set_domain("");
  for (onnx::OperatorSetIdProto& import : *function.mutable_opset_import()) {
    if (import.domain() == "ai.onnx") import.set_domain("");
  }
  normalize_domains(*function.mutable_node());
}

// Splits "m1_of_x" into -1 and "x", "12_of_x" into 12 and "x".
bool read_axis(std::string_view& text, int64_t& axis) {
  constexpr std::string_view of = "_of_";
  constexpr std::size_t most_digits = 9;
  const bool negative = text.starts_with('m');
  if (negative) text.remove_prefix(1);
  const std::string_view digits = text.substr(0, text.find(of));
  const std::optional<uint32_t> number = number_in<uint32_t>(digits);
  if (!number || digits.size() > most_digits || digits.size() == text.size() || (negative && *number == 0))
    return false;
  axis = negative ? -int64_t{*number} : int64_t{*number};
  text.remove_prefix(digits.size() + of.size());
  return true;
}

template <typename Names>
int index_of(const Names& names, std::string_view name) {
  for (int i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  return -1;
}

std::optional<BoundAttribute> bound_attribute(const onnx::FunctionProto& function, const std::string& name) {
  using Kind = BoundAttribute::Kind;
  static constexpr std::pair<std::string_view, Kind> prefixes[] = {{"dtype_of_", Kind::dtype},
                                                                   {"rank_of_", Kind::rank},
                                                                   {"dims_of_", Kind::dims},
                                                                   {"value_of_", Kind::value},
                                                                   {"dim_", Kind::dim}};
  for (const auto& [prefix, kind] : prefixes) {
    if (!name.starts_with(prefix)) continue;
    BoundAttribute bound;
    bound.name = name;
    bound.kind = kind;
    std::string_view value = std::string_view(name).substr(prefix.size());
    if (kind == Kind::dim && !read_axis(value, bound.axis)) return std::nullopt;
    bound.value_name = value;
    bound.index = index_of(function.input(), value);
    // The value of an output is not known before the body has computed it.
    if (bound.index < 0 && kind != Kind::value) {
      bound.is_output = true;
      bound.index = index_of(function.output(), value);
    }
    if (bound.index < 0) return std::nullopt;
    return bound;
  }
  return std::nullopt;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string default_text(const AttributeProto& value) {
  switch (value.type()) {
    case AttributeProto::FLOAT:
      return fmt::format("{}", value.f());
    case AttributeProto::INT:
      return fmt::format("{}", value.i());
    case AttributeProto::STRING:
      return in_quotes(value.s());
    case AttributeProto::FLOATS:
      return fmt::format("[{}]", fmt::join(value.floats(), ", "));
    case AttributeProto::INTS:
      return fmt::format("[{}]", fmt::join(value.ints(), ", "));
    case AttributeProto::STRINGS: {
      std::vector<std::string> strings;
      for (const std::string& text : value.strings()) strings.push_back(in_quotes(text));
      return fmt::format("[{}]", fmt::join(strings, ", "));
    }
    default:
      return "…";
  }
}

std::string declared_attributes(const Form& form) {
  std::string text;
  for (const DeclaredAttribute& declared : form.attributes) {
    text += (text.empty() ? "" : ", ") + declared.name;
    if (declared.type != AttributeProto::UNDEFINED) text += fmt::format(": {}", attribute_type_name(declared.type));
    if (const AttributeProto* value = form.default_of(declared)) text += " = " + default_text(*value);
  }
  return text;
}

std::string signature_with(const Form& form, const std::string& attributes) {
  return fmt::format("{}{} ({}) => ({})", form.function.name(),
                     attributes.empty() ? "" : fmt::format(" <{}>", attributes), fmt::join(form.function.input(), ", "),
                     fmt::join(form.function.output(), ", "));
}

}  // namespace

std::string_view name_of(RuleOrigin origin) {
  static constexpr std::string_view names[] = {"user", "model", "built-in"};
  return names[static_cast<std::size_t>(origin)];
}

const DeclaredAttribute* Form::attribute(std::string_view name) const {
  const auto name_of = [this](uint32_t index) -> std::string_view { return attributes[index].name; };
  const auto found = std::ranges::lower_bound(attributes_by_name, name, {}, name_of);
  return found != attributes_by_name.end() && name_of(*found) == name ? &attributes[*found] : nullptr;
}

const AttributeProto* Form::default_of(const DeclaredAttribute& attribute) const {
  return attribute.required() ? nullptr : &function.attribute_proto(attribute.default_index);
}

Form form_of(onnx::FunctionProto function, std::vector<DeclaredAttribute> declared, RuleOrigin origin,
             std::string where_from) {
  Form form;
  form.function = std::move(function);
  form.origin = origin;
  form.where_from = std::move(where_from);
  normalize_domains(form.function);
  form.function.clear_attribute();
  for (DeclaredAttribute& attribute : declared) {
    if (attribute.required()) form.function.add_attribute(attribute.name);
    if (attribute.required() && origin != RuleOrigin::model) {
      if (auto bound = bound_attribute(form.function, attribute.name)) {
        form.bound.push_back(*std::move(bound));
        continue;
      }
    }
    form.attributes.push_back(std::move(attribute));
  }
  form.attributes_by_name.resize(form.attributes.size());
  std::iota(form.attributes_by_name.begin(), form.attributes_by_name.end(), 0U);
  // The sort is stable: of two attributes with the same name, the first one counts.
  std::ranges::stable_sort(form.attributes_by_name, {},
                           [&](uint32_t index) -> std::string_view { return form.attributes[index].name; });
  return form;
}

Form form_from_function(onnx::FunctionProto function, RuleOrigin origin, std::string where_from) {
  std::vector<DeclaredAttribute> declared;
  for (const std::string& name : function.attribute()) declared.push_back({.name = name});
  google::protobuf::RepeatedPtrField<AttributeProto> defaults;
  for (AttributeProto& attribute : *function.mutable_attribute_proto()) {
    DeclaredAttribute& last =
        declared.emplace_back(DeclaredAttribute{.name = attribute.name(), .type = attribute.type()});
    if (!has_value(attribute)) continue;
    last.default_index = defaults.size();
    defaults.Add(std::move(attribute));
  }
  function.mutable_attribute_proto()->Swap(&defaults);

  if (origin != RuleOrigin::model) write_out_constants_like(function, declared);
  Form form = form_of(std::move(function), std::move(declared), origin, std::move(where_from));
  if (origin == RuleOrigin::model) return form;
  for (const onnx::StringStringEntryProto& property : form.function.metadata_props()) {
    try {
      if (property.key() == "where") set_condition(form, property.value());
      if (property.key() == "let") add_definitions(form, property.value());
    } catch (const ConditionError& error) {
      throw InvalidInput(fmt::format("{}: error: in the {} of {}, column {}: {}\n  {}\n  {:>{}}", form.where_from,
                                     property.key() == "let" ? "definitions" : "condition", form.function.name(),
                                     error.offset() + 1, error.what(), property.value(), '^', error.offset() + 1));
    }
  }
  return form;
}

void set_condition(Form& form, std::string_view text) {
  form.where = Condition::parse(text);
  form.definitions_before_where = form.definitions.size();
}

void add_definitions(Form& form, std::string_view text) {
  for (Definition& definition : Definition::parse(text)) form.definitions.push_back(std::move(definition));
}

std::string signature(const Form& form) { return signature_with(form, declared_attributes(form)); }

std::string missing_text(const std::vector<std::string>& attributes) {
  return attributes.size() == 1 ? fmt::format("attribute '{}' is missing", attributes[0])
                                : fmt::format("attributes '{}' are missing", fmt::join(attributes, "', '"));
}

std::string form_text(const Form& form) {
  std::string attributes = declared_attributes(form);
  for (const BoundAttribute& bound : form.bound) attributes += (attributes.empty() ? "" : ", ") + bound.name;
  std::string text;
  for (const onnx::StringStringEntryProto& property : form.function.metadata_props()) {
    if (property.key() == "where" || property.key() == "let")
      text += fmt::format("{}\"{}\": {}", text.empty() ? "[" : ", ", property.key(), in_quotes(property.value()));
  }
  if (!text.empty()) text += "]\n";
  // onnx's printer leaves out the defaults and types of attributes, so that only the text before
  // and after these is taken from it.
  const std::string printed = onnx::ProtoToString(form.function);
  const std::size_t name = printed.find("\n" + form.function.name() + " ");
  const std::size_t body = printed.find("\n{", name);
  if (name == std::string::npos || body == std::string::npos) return text + printed;
  return text + printed.substr(0, name + 1) + signature_with(form, attributes) + printed.substr(body) + "\n";
}

bool has_value(const AttributeProto& attribute) {
  switch (attribute.type()) {
    case AttributeProto::FLOAT:
      return attribute.has_f();
    case AttributeProto::INT:
      return attribute.has_i();
    case AttributeProto::STRING:
      return attribute.has_s();
    case AttributeProto::TENSOR:
      return attribute.has_t();
    case AttributeProto::GRAPH:
      return attribute.has_g();
    case AttributeProto::SPARSE_TENSOR:
      return attribute.has_sparse_tensor();
    case AttributeProto::TYPE_PROTO:
      return attribute.has_tp();
    case AttributeProto::FLOATS:
      return attribute.floats_size() > 0;
    case AttributeProto::INTS:
      return attribute.ints_size() > 0;
    case AttributeProto::STRINGS:
      return attribute.strings_size() > 0;
    case AttributeProto::TENSORS:
      return attribute.tensors_size() > 0;
    case AttributeProto::GRAPHS:
      return attribute.graphs_size() > 0;
    case AttributeProto::SPARSE_TENSORS:
      return attribute.sparse_tensors_size() > 0;
    case AttributeProto::TYPE_PROTOS:
      return attribute.type_protos_size() > 0;
    default:
      return false;
  }
}

std::string_view attribute_type_name(AttributeProto::AttributeType type) {
  if (type == AttributeProto::UNDEFINED) return "any";
  return onnx::AttributeTypeNameMap::ToString(type);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Parameters of PyTorch's operators that are attributes of the node, under the names that PyTorch
// gives them, become the inputs that the operators' rules take.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "element_types.h"
#include "operator_call.h"
#include "rules/body.h"
#include "schemas.h"

namespace onnx_lower::native_rules::aten_any_operator {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

// One of a schema's "int[2] output_size", "ScalarType? dtype=None".
struct Parameter {
  std::string_view type;  // "int", without what follows
  bool is_list = false;
  bool is_optional = false;
  bool has_optional_items = false;  // of "Tensor?[] indices"
  int64_t list_length = 0;          // of "int[2]", where one number stands for each of the two
  std::string_view name;
  std::optional<std::string_view> default_value;

  bool is_number() const { return type == "int" || type == "bool" || type == "ScalarType"; }
  bool is_tensor() const { return type == "Tensor"; }
  bool may_be_absent() const { return default_value || is_optional; }
};

int64_t integer_in(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Parameter parameter_of(std::string_view text) {
  Parameter parameter;
  const size_t space = text.find(' ');
  const std::string_view type = text.substr(0, space);
  std::string_view name = text.substr(space + 1);
  if (const size_t equals = name.find('='); equals != std::string_view::npos) {
    parameter.default_value = name.substr(equals + 1);
    name = name.substr(0, equals);
  }
  parameter.name = name;
  const size_t bracket = type.find('[');
  parameter.is_list = bracket != std::string_view::npos;
  if (parameter.is_list) parameter.list_length = integer_in(type.substr(bracket + 1));
  parameter.is_optional = type.ends_with('?');
  parameter.has_optional_items = parameter.is_list && type[bracket - 1] == '?';
  parameter.type = type.substr(0, type.find_first_of("[?"));
  return parameter;
}

std::vector<Parameter> parameters_of(std::string_view text) {
  std::vector<Parameter> parameters;
  // A comma without a space is one of a list, as in "int[] dims=[0,1]".
  constexpr std::string_view between = ", ";
  for (size_t end = 0; end != std::string_view::npos; text.remove_prefix(std::min(text.size(), end + between.size()))) {
    end = text.find(between);
    parameters.push_back(parameter_of(text.substr(0, end)));
    if (end == std::string_view::npos) break;
  }
  return parameters;
}

TensorProto text_tensor(std::string_view text) {
  TensorProto tensor;
  tensor.set_data_type(TensorProto::STRING);
  tensor.add_string_data(std::string(text));
  return tensor;
}

[[noreturn]] void decline_type(const AttributeProto& attribute, const Parameter& parameter) {
  decline(fmt::format("attribute '{}' is not what PyTorch's parameter of that name is, {}{}", attribute.name(),
                      parameter.is_list ? "a list of " : "", parameter.type));
}

// The attribute's numbers; a single one stands for all of a list of known length.
template <typename Number>
TensorProto numbers(TensorProto::DataType type, std::vector<Number> values, bool is_single,
                    const AttributeProto& attribute, const Parameter& parameter) {
  if (!parameter.is_list && !is_single) decline_type(attribute, parameter);
  if (parameter.is_list && is_single && parameter.list_length > 1)
    values.assign(static_cast<size_t>(parameter.list_length), values.front());
  return tensor_of(type, parameter.is_list ? Ints{static_cast<int64_t>(values.size())} : Ints{}, values);
}

TensorProto tensor_of(const AttributeProto& attribute, const Parameter& parameter) {
  switch (attribute.type()) {
    case AttributeProto::TENSOR:
      return attribute.t();
    case AttributeProto::STRING:
      if (parameter.type == "str" && !parameter.is_list) return text_tensor(attribute.s());
      break;
    case AttributeProto::INT:
    case AttributeProto::INTS: {
      const bool is_single = attribute.type() == AttributeProto::INT;
      const Ints values = is_single ? Ints{attribute.i()} : Ints(attribute.ints().begin(), attribute.ints().end());
      if (parameter.type == "float")
        return numbers(TensorProto::FLOAT, std::vector<double>(values.begin(), values.end()), is_single, attribute,
                       parameter);
      if (parameter.type == "str") break;
      const bool is_bool = parameter.type == "bool";
      return numbers(is_bool ? TensorProto::BOOL : TensorProto::INT64, values, is_single, attribute, parameter);
    }
    case AttributeProto::FLOAT:
    case AttributeProto::FLOATS: {
      if (parameter.is_number() || parameter.type == "str") break;
      const bool is_single = attribute.type() == AttributeProto::FLOAT;
      std::vector<double> values(attribute.floats().begin(), attribute.floats().end());
      if (is_single) values = {attribute.f()};
      return numbers(TensorProto::FLOAT, values, is_single, attribute, parameter);
    }
    default:
      break;
  }
  decline_type(attribute, parameter);
}

// What the parameter is where it is left out; nothing if it is then absent.
std::optional<TensorProto> default_of(const Parameter& parameter) {
  if (!parameter.default_value || parameter.default_value == "None") return std::nullopt;
  std::string_view text = *parameter.default_value;
  if (parameter.type == "str") return text_tensor(text.substr(1, text.size() - 2));
  if (parameter.type == "MemoryFormat") return std::nullopt;
  if (text.starts_with('[')) {
    Ints values;
    for (size_t at = 1; at < text.size();
         at = text.find(',', at) == std::string_view::npos ? text.size() : text.find(',', at) + 1)
      if (text[at] != ']') values.push_back(integer_in(text.substr(at)));
    return onnx_lower::tensor_of(TensorProto::INT64, {static_cast<int64_t>(values.size())}, values);
  }
  // The words are values of at::Reduction.
  const int64_t integer = text == "True" || text == "Mean" ? 1
                          : text == "Sum"                  ? 2
                          : text == "False"                ? 0
                                                           : integer_in(text);
  const bool is_float = parameter.type == "float" || text.find_first_of(".e") != std::string_view::npos;
  const Ints dims = parameter.is_list ? Ints{std::max<int64_t>(parameter.list_length, 1)} : Ints{};
  const size_t count = parameter.is_list ? static_cast<size_t>(dims[0]) : 1;
  if (parameter.type == "bool") return onnx_lower::tensor_of(TensorProto::BOOL, dims, Ints(count, integer));
  if (!is_float || text == "True" || text == "False")
    return onnx_lower::tensor_of(TensorProto::INT64, dims, Ints(count, integer));
  return onnx_lower::tensor_of(TensorProto::FLOAT, dims, std::vector<double>(count, std::stod(std::string(text))));
}

// The attribute for a parameter. Exporters leave the suffixes that torch.onnx writes in Python.
const AttributeProto* attribute_for(const CallSite& site, std::string_view parameter) {
  for (const AttributeProto& attribute : site.node().attribute()) {
    std::string_view name = attribute.name();
    if (name == parameter) return site.known_attribute(attribute.name());
    if (!name.starts_with(parameter)) continue;
    name.remove_prefix(parameter.size());
    if (name == "_i" || name == "_f" || name == "_s" || name == "_t") return site.known_attribute(attribute.name());
  }
  return nullptr;
}

// Which of the node's inputs each parameter is, and which are attributes.
struct Argument {
  const AttributeProto* attribute = nullptr;
  int first_input = 0;
  int inputs = 0;  // more than one are a list's
};

bool is_list(const CallSite& site, int input) {
  if (site.list_size(input)) return true;  // also of tensors of several types, which is of no type
  const onnx::TypeProto* type = site.input_type(input, Detail::element_type);
  return type != nullptr && type->has_sequence_type();
}

// Whether the input may be the parameter, by what is known of its type.
bool may_be(const CallSite& site, int input, const Parameter& parameter) {
  if (!parameter.is_number() || !parameter.may_be_absent()) return true;
  const std::optional<int> type = site.dtype(input);
  return !type || category_of(*type) != TypeCategory::floating;
}

// Binds what the node has to an overload's parameters; nothing if it is a call of another one.
std::optional<std::vector<Argument>> bind(const CallSite& site, const std::vector<Parameter>& parameters) {
  std::vector<Argument> arguments(parameters.size());
  int attributes = 0, needed = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    arguments[i].attribute = attribute_for(site, parameters[i].name);
    if (arguments[i].attribute != nullptr) ++attributes;
    // A list that is not made yet takes what the others leave.
    const bool is_needed = parameters[i].is_tensor() && !parameters[i].may_be_absent() && !parameters[i].is_list;
    if (arguments[i].attribute == nullptr && is_needed) ++needed;
  }
  if (attributes != site.node().attribute_size()) return std::nullopt;
  int next = 0, given = site.input_count();
  while (given > 0 && !site.has_input(given - 1)) --given;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (arguments[i].attribute != nullptr) continue;
    arguments[i].first_input = next;
    if (next < given && parameter.is_tensor() && parameter.is_list) {
      // Its tensors may be inputs of the node themselves, where no list is made of them.
      arguments[i].inputs = is_list(site, next) ? 1 : std::max(given - needed, 1);
    } else if (next < given && (!site.has_input(next) || may_be(site, next, parameter))) {
      arguments[i].inputs = 1;
    } else if (!parameter.may_be_absent()) {
      return std::nullopt;
    }
    next += arguments[i].inputs;
  }
  if (next < given) return std::nullopt;
  return arguments;
}

// Whether tensors that are inputs of the node stand for a list, of which a SequenceConstruct is to
// be made. A rule for a list in which a tensor may be absent takes them one by one.
bool is_flat_list(const CallSite& site, const Parameter& parameter, const Argument& argument) {
  return parameter.is_tensor() && parameter.is_list && argument.inputs > 0 && !is_list(site, argument.first_input);
}

onnx::FunctionProto call_with_inputs(const CallSite& site, std::string_view op_type,
                                     const std::vector<Parameter>& parameters, const std::vector<Argument>& arguments) {
  std::vector<std::string> formal_inputs, outputs, inputs;
  for (int i = 0; i < site.input_count(); ++i) formal_inputs.push_back(fmt::format("x{}", i));
  for (int i = 0; i < site.output_count(); ++i) outputs.push_back(fmt::format("y{}", i));
  Body body("aten", op_type, formal_inputs, outputs, 18);
  body.import("aten", 1);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    const Argument& argument = arguments[i];
    std::string value;
    std::vector<std::string> tensors;
    for (int k = argument.first_input; k < argument.first_input + argument.inputs; ++k)
      tensors.push_back(site.has_input(k) ? formal_inputs[static_cast<size_t>(k)] : "");
    if (argument.attribute != nullptr) {
      value = body.constant(body.fresh(parameter.name), tensor_of(*argument.attribute, parameter));
    } else if (is_flat_list(site, parameter, argument)) {
      if (parameter.has_optional_items) {
        inputs.insert(inputs.end(), tensors.begin(), tensors.end());
        continue;
      }
      value = body.made("list", "SequenceConstruct", tensors);
    } else if (argument.inputs > 0) {
      value = tensors.front();
    } else if (std::optional<TensorProto> constant = default_of(parameter)) {
      value = body.constant(body.fresh(parameter.name), std::move(*constant));
    }
    inputs.push_back(value);
  }
  while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
  body.node(outputs, fmt::format("aten.{}", op_type), inputs);
  onnx::FunctionProto function = std::move(body).function();
  function.mutable_node(function.node_size() - 1)->set_overload(site.node().overload());
  return function;
}

Lowering lower(const CallSite& site) {
  if (site.node().attribute_size() == 0)
    return Declined{.reason = "all its parameters are inputs", .is_of_signature = true};
  const std::string name = rule_name_of(site.node().op_type());
  const AtenSchema* const first = std::ranges::lower_bound(aten_schemas, std::string_view(name), {}, &AtenSchema::name);
  const AtenSchema* const last = std::ranges::upper_bound(aten_schemas, std::string_view(name), {}, &AtenSchema::name);
  const std::string_view overload = site.node().overload();
  for (const AtenSchema* schema = first; schema != last; ++schema) {
    if (!overload.empty() && schema->overload != overload) continue;
    const std::vector<Parameter> parameters = parameters_of(schema->parameters);
    const auto arguments = bind(site, parameters);
    if (arguments) return call_with_inputs(site, name, parameters, *arguments);
  }
  if (first == last) return Declined{.reason = "PyTorch's schema of it is not known", .is_of_signature = true};
  return Declined{
      fmt::format("its attributes and inputs are not the parameters of PyTorch's operator, ({})", first->parameters)};
}

const NativeRule rule{.domain = "aten",
                      .op_type = "*",
                      .summary =
                          "The operator with parameters as attributes, under PyTorch's names, as the call with all "
                          "of them as inputs.",
                      .source = "PyTorch's native_functions.yaml; torch.onnx writes g.at(\"cumsum\", x, dim_i=1)",
                      .takes_any_attribute = true,
                      .only_beside_others = true,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_any_operator

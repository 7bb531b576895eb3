// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rules/conditions/expression.h"
#include "rules/values/element_type.h"
#include "standard_operators/node_attribute.h"
#include "types/type_knowledge.h"

namespace onnx_lower::condition {
namespace {

Value unknown(std::string why) { return {.why = std::move(why)}; }

Value number(int64_t value) { return {.value = value}; }

template <typename Elements>
Value list_of(const Elements& elements) {
  return {.list = std::vector<Operand::Literal>(elements.begin(), elements.end())};
}

Value value_of_attribute(const Operand& operand, const ConditionFacts& facts) {
  const onnx::AttributeProto* attribute = facts.attribute(operand.name);
  if (attribute == nullptr) return unknown(fmt::format("attribute {} is not given", operand.name));
  if (is_open(*attribute)) return unknown(open_attribute_reason(operand.name));
  switch (attribute->type()) {
    case onnx::AttributeProto::INT:
      return number(attribute->i());
    case onnx::AttributeProto::FLOAT:
      return {.value = static_cast<double>(attribute->f()), .is_single = true};
    case onnx::AttributeProto::STRING:
      return {.value = attribute->s()};
    case onnx::AttributeProto::INTS:
      return list_of(attribute->ints());
    case onnx::AttributeProto::FLOATS:
      return list_of(std::vector<double>(attribute->floats().begin(), attribute->floats().end()));
    case onnx::AttributeProto::STRINGS:
      return list_of(attribute->strings());
    default:
      return unknown(fmt::format("attribute {} is neither a number nor a string", operand.name));
  }
}

std::optional<int64_t> as_integer(const Value& value) {
  if (!value.value) return std::nullopt;
  if (const auto* type = std::get_if<Operand::ElementType>(&*value.value)) return type->type;
  if (const auto* integer = std::get_if<int64_t>(&*value.value)) return *integer;
  return std::nullopt;
}

std::optional<double> as_number(const Value& value) {
  if (const auto integer = as_integer(value)) return static_cast<double>(*integer);
  const auto* number = value.value ? std::get_if<double>(&*value.value) : nullptr;
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// The values of operands, or why they have none.
struct Values {
  std::vector<Value> all;
  std::string why;
};

Values values_of(const std::vector<Operand>& operands, const ConditionFacts& facts) {
  Values values;
  for (const Operand& operand : operands) {
    Value& value = values.all.emplace_back(value_of(operand, facts));
    if (value.why.empty()) continue;
    values.why = value.why;
    break;
  }
  return values;
}

// More than a rule needs, and little enough to fit into memory.
constexpr std::size_t longest_list = 1 << 16;
constexpr std::size_t most_text = 1 << 20;  // bytes of all strings of a list

std::size_t text_size(const Operand::Literal& literal) {
  const auto* text = std::get_if<std::string>(&literal);
  return text == nullptr ? 0 : text->size();
}

std::size_t text_size(const std::vector<Operand::Literal>& list) {
  std::size_t size = 0;
  for (const Operand::Literal& literal : list) size += text_size(literal);
  return size;
}

// Why a list of that size is not allowed; empty if it is.
std::string problem_of_size(const Operand& operand, std::size_t elements, std::size_t text) {
  if (elements > longest_list) return fmt::format("{} has more than {} elements", operand.text, longest_list);
  if (text > most_text) return fmt::format("{} has more than {} bytes of text", operand.text, most_text);
  return {};
}

Value joined(const Operand& operand, std::vector<Operand::Literal> left, const std::vector<Operand::Literal>& right) {
  std::string problem = problem_of_size(operand, left.size() + right.size(), text_size(left) + text_size(right));
  if (!problem.empty()) return unknown(std::move(problem));
  left.insert(left.end(), right.begin(), right.end());
  return {.list = std::move(left)};
}

Value repeated(const Operand& operand, const std::vector<Operand::Literal>& list, int64_t times) {
  Value result;
  result.list.emplace();
  if (times <= 0 || list.empty()) return result;
  const auto bounded = static_cast<std::size_t>(std::min<int64_t>(times, longest_list + 1));
  std::string problem = problem_of_size(operand, list.size() * bounded, text_size(list) * bounded);
  if (!problem.empty()) return unknown(std::move(problem));
  for (int64_t count = 0; count < times; ++count) result.list->insert(result.list->end(), list.begin(), list.end());
  return result;
}

// Computes with integers; nothing when the result is too large, or not defined. `//`
// and `%` round down.
std::optional<int64_t> reckoned(Operand::Kind kind, int64_t left, int64_t right) {
  int64_t result = 0;
  switch (kind) {
    case Operand::Kind::sum:
      return __builtin_add_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case Operand::Kind::difference:
      return __builtin_sub_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    case Operand::Kind::product:
      return __builtin_mul_overflow(left, right, &result) ? std::nullopt : std::optional(result);
    default:
      break;
  }
  if (right == 0 || (right == -1 && left == std::numeric_limits<int64_t>::min())) return std::nullopt;
  const bool rounds_up = left % right != 0 && (left < 0) != (right < 0);
  if (kind == Operand::Kind::floor_quotient) return left / right - (rounds_up ? 1 : 0);
  return left % right + (rounds_up ? right : 0);
}

double reckoned(Operand::Kind kind, double left, double right) {
  switch (kind) {
    case Operand::Kind::sum:
      return left + right;
    case Operand::Kind::difference:
      return left - right;
    case Operand::Kind::product:
      return left * right;
    case Operand::Kind::quotient:
      return left / right;
    case Operand::Kind::floor_quotient:
      return std::floor(left / right);
    default:
      return left - std::floor(left / right) * right;
  }
}

Value arithmetic(const Operand& operand, const ConditionFacts& facts) {
  Values parts = values_of(operand.parts, facts);
  if (!parts.why.empty()) return unknown(std::move(parts.why));
  const bool is_negative = operand.kind == Operand::Kind::negative;
  const Operand::Kind kind = is_negative ? Operand::Kind::difference : operand.kind;
  const Value left = is_negative ? number(0) : std::move(parts.all.front());
  const Value& right = parts.all.back();
  if (left.list && right.list && kind == Operand::Kind::sum) return joined(operand, *left.list, *right.list);
  const auto left_integer = as_integer(left), right_integer = as_integer(right);
  if (left.list && right_integer && kind == Operand::Kind::product)
    return repeated(operand, *left.list, *right_integer);
  const auto left_number = as_number(left), right_number = as_number(right);
  if (!left_number || !right_number) return unknown(fmt::format("{} is not of numbers", operand.text));
  if (left_integer && right_integer && kind != Operand::Kind::quotient) {
    const auto result = reckoned(kind, *left_integer, *right_integer);
    return result ? number(*result) : unknown(fmt::format("{} is no number of 64 bits", operand.text));
  }
  return {.value = reckoned(kind, *left_number, *right_number)};
}

Value range(const Operand& operand, const ConditionFacts& facts) {
  Values parts = values_of(operand.parts, facts);
  if (!parts.why.empty()) return unknown(std::move(parts.why));
  const auto begin = parts.all.size() == 1 ? std::optional(int64_t{0}) : as_integer(parts.all.front());
  const auto end = as_integer(parts.all.back());
  if (!begin || !end) return unknown(fmt::format("{} is not of integers", operand.text));
  Value result;
  result.list.emplace();
  if (*begin >= *end) return result;
  std::string problem = problem_of_size(operand, static_cast<uint64_t>(*end) - static_cast<uint64_t>(*begin), 0);
  if (!problem.empty()) return unknown(std::move(problem));
  for (int64_t element = *begin; element < *end; ++element) result.list->emplace_back(element);
  return result;
}

Value list(const Operand& operand, const ConditionFacts& facts) {
  Value result;
  result.list.emplace();
  std::size_t text = 0;
  for (const Operand& part : operand.parts) {
    Value element = literal_of(part, facts);
    if (!element.value) return element;
    text += text_size(*element.value);
    std::string problem = problem_of_size(operand, result.list->size() + 1, text);
    if (!problem.empty()) return unknown(std::move(problem));
    result.list->push_back(*std::move(element.value));
  }
  return result;
}

Value element(const Operand& operand, const ConditionFacts& facts) {
  Value list = value_of(operand.parts[0], facts);
  if (!list.why.empty()) return list;
  if (list.value) list.list.emplace({*list.value});
  const Value at = literal_of(operand.parts[1], facts);
  if (!at.value) return at;
  const auto index = as_integer(at);
  const auto size = static_cast<int64_t>(list.list->size());
  if (!index || *index < -size || *index >= size)
    return unknown(fmt::format("{} has {} elements and none at {}", operand.parts[0].text, size, to_text(at)));
  return {.value = (*list.list)[static_cast<std::size_t>(*index < 0 ? *index + size : *index)]};
}

// The least or the greatest of several operands, or of the elements of one list.
Value extreme(const Operand& operand, const ConditionFacts& facts) {
  std::vector<Value> all;
  for (const Operand& part : operand.parts) {
    Value value = value_of(part, facts);
    if (!value.why.empty()) return value;
    if (operand.parts.size() == 1 && value.list) {
      for (const Operand::Literal& element : *value.list) all.push_back({.value = element});
      break;
    }
    all.push_back(std::move(value));
    // A list among several operands is an error: it ends the loop, so that no more
    // long lists are made.
    if (all.back().list) break;
  }
  const auto is_number = [](const Value& value) { return as_number(value).has_value(); };
  if (all.empty() || !std::ranges::all_of(all, is_number))
    return unknown(fmt::format("{} is not of numbers", operand.text));
  Value best = all.front();
  const int wanted = operand.kind == Operand::Kind::minimum ? -1 : 1;
  for (const Value& value : all) {
    if (order(value, best) == wanted) best = value;
  }
  return best;
}

Value choice(const Operand& operand, const ConditionFacts& facts) {
  ConditionResult result = evaluate(operand.condition.front(), facts);
  if (result.truth == ConditionResult::Truth::unknown) return unknown(std::move(result.reason));
  return value_of(operand.parts[result.holds() ? 0 : 1], facts);
}

Value dimension(const Operand& operand, const ConditionFacts& facts) {
  const onnx::TensorShapeProto* shape = shape_of(facts.type(operand.name, Detail::dimensions));
  if (shape == nullptr) return unknown(fmt::format("{} is not known", operand.text));
  const Value at = literal_of(operand.parts[0], facts);
  if (!at.value) return at;
  const auto given = as_integer(at);
  if (!given) return unknown(fmt::format("{} is {}, no dimension", operand.parts[0].text, to_text(at)));
  const int64_t axis = *given < 0 ? *given + shape->dim_size() : *given;
  if (axis < 0 || axis >= shape->dim_size())
    return unknown(fmt::format("{} has rank {} and no dimension {}", operand.name, shape->dim_size(), *given));
  const auto& size = shape->dim(static_cast<int>(axis));
  return size.has_dim_value() ? number(size.dim_value()) : unknown(fmt::format("{} is not known", operand.text));
}

}  // namespace

Value value_of(const Operand& operand, const ConditionFacts& facts) {
  const auto not_known = [&] { return unknown(fmt::format("{} is not known", operand.text)); };
  switch (operand.kind) {
    case Operand::Kind::literal:
      return {.value = operand.literal};
    case Operand::Kind::attribute:
      return value_of_attribute(operand, facts);
    case Operand::Kind::length: {
      // A single value counts as a list of one element, as it does for an attribute that is a list.
      Value list = value_of(operand.parts[0], facts);
      if (!list.why.empty()) return list;
      return number(list.list ? static_cast<int64_t>(list.list->size()) : 1);
    }
    case Operand::Kind::opset:
      return number(facts.opset());
    case Operand::Kind::version: {
      const std::optional<int64_t> version = facts.version();
      return version ? number(*version) : not_known();
    }
    case Operand::Kind::rank: {
      const onnx::TensorShapeProto* shape = shape_of(facts.type(operand.name, Detail::shape));
      return shape == nullptr ? not_known() : number(shape->dim_size());
    }
    case Operand::Kind::dtype: {
      const onnx::TypeProto* type = facts.type(operand.name, Detail::element_type);
      int element = onnx::TensorProto::UNDEFINED;
      if (type != nullptr && type->has_tensor_type()) element = type->tensor_type().elem_type();
      if (type != nullptr && type->has_sparse_tensor_type()) element = type->sparse_tensor_type().elem_type();
      if (element == onnx::TensorProto::UNDEFINED) return not_known();
      return {.value = Operand::ElementType{element}};
    }
    case Operand::Kind::dim:
      return dimension(operand, facts);
    case Operand::Kind::list:
      return list(operand, facts);
    case Operand::Kind::range:
      return range(operand, facts);
    case Operand::Kind::minimum:
    case Operand::Kind::maximum:
      return extreme(operand, facts);
    case Operand::Kind::negative:
    case Operand::Kind::sum:
    case Operand::Kind::difference:
    case Operand::Kind::product:
    case Operand::Kind::quotient:
    case Operand::Kind::floor_quotient:
    case Operand::Kind::remainder:
      return arithmetic(operand, facts);
    case Operand::Kind::element:
      return element(operand, facts);
    case Operand::Kind::choice:
      return choice(operand, facts);
    default:  // true or false, which is no value
      return not_known();
  }
}

Value literal_of(const Operand& operand, const ConditionFacts& facts) {
  Value value = value_of(operand, facts);
  if (!value.list) return value;
  if (operand.kind == Operand::Kind::attribute)
    return unknown(fmt::format("attribute {} is neither a number nor a string", operand.name));
  return unknown(fmt::format("{} is a list", operand.text));
}

std::string to_text(const Value& value) {
  struct Visitor {
    bool is_single;
    std::string operator()(int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double d) const {
      return is_single ? fmt::format("{}", static_cast<float>(d)) : fmt::format("{}", d);
    }
    std::string operator()(const std::string& s) const { return fmt::format("\"{}\"", s); }
    std::string operator()(Operand::ElementType t) const { return std::string(element_type_name(t.type)); }
  };
  return std::visit(Visitor{value.is_single}, *value.value);
}

std::optional<int> order(const Value& left, const Value& right) {
  const auto* left_text = std::get_if<std::string>(&*left.value);
  const auto* right_text = std::get_if<std::string>(&*right.value);
  if ((left_text == nullptr) != (right_text == nullptr)) return std::nullopt;
  const auto of = [](const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : a == b ? 0 : 2; };
  if (left_text != nullptr) return of(*left_text, *right_text);
  const auto left_integer = as_integer(left);
  const auto right_integer = as_integer(right);
  if (left_integer && right_integer) return of(*left_integer, *right_integer);
  const double left_number = left_integer ? static_cast<double>(*left_integer) : std::get<double>(*left.value);
  const double right_number = right_integer ? static_cast<double>(*right_integer) : std::get<double>(*right.value);
  // The attribute was rounded to float, so the 0.1 of the rule is rounded, too.
  if (left.is_single || right.is_single) return of(static_cast<float>(left_number), static_cast<float>(right_number));
  return of(left_number, right_number);
}

}  // namespace onnx_lower::condition

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/conditions/definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "rules/conditions/expression.h"

namespace onnx_lower {
namespace {

using condition::Operand;
using condition::Value;
using onnx::AttributeProto;
using AttributeType = Definition::AttributeType;

AttributeType type_of_literal(const Operand::Literal& literal) {
  if (std::holds_alternative<std::string>(literal)) return AttributeProto::STRING;
  return std::holds_alternative<double>(literal) ? AttributeProto::FLOAT : AttributeProto::INT;
}

// The attribute types of one value and of a list of such values.
constexpr std::pair<AttributeType, AttributeType> lists[] = {{AttributeProto::INT, AttributeProto::INTS},
                                                             {AttributeProto::FLOAT, AttributeProto::FLOATS},
                                                             {AttributeProto::STRING, AttributeProto::STRINGS}};

AttributeType list_of(AttributeType element) {
  const auto* found = std::ranges::find(lists, element, &std::pair<AttributeType, AttributeType>::first);
  return found == std::end(lists) ? AttributeProto::UNDEFINED : found->second;
}

AttributeType element_of(AttributeType list) {
  const auto* found = std::ranges::find(lists, list, &std::pair<AttributeType, AttributeType>::second);
  return found == std::end(lists) ? AttributeProto::UNDEFINED : found->first;
}

// The common type of two values: UNDEFINED where it depends on the call.
AttributeType common(AttributeType one, AttributeType other) {
  const auto is_number = [](AttributeType type) {
    return type == AttributeProto::INT || type == AttributeProto::FLOAT;
  };
  if (one == other) return one;
  return is_number(one) && is_number(other) ? AttributeProto::FLOAT : AttributeProto::UNDEFINED;
}

AttributeType same(AttributeType one, AttributeType other) { return one == other ? one : AttributeProto::UNDEFINED; }

int64_t integer_of(const Operand::Literal& literal) {
  const auto* type = std::get_if<Operand::ElementType>(&literal);
  return type != nullptr ? type->type : std::get<int64_t>(literal);
}

float float_of(const Operand::Literal& literal) {
  const auto* number = std::get_if<double>(&literal);
  return number != nullptr ? static_cast<float>(*number) : static_cast<float>(integer_of(literal));
}

AttributeType type_of_operand(const Operand& operand, const std::function<AttributeType(std::string_view)>& type_of) {
  const auto part = [&](std::size_t index) { return type_of_operand(operand.parts[index], type_of); };
  switch (operand.kind) {
    case Operand::Kind::literal:
      return type_of_literal(operand.literal);
    case Operand::Kind::attribute:
      return type_of(operand.name);
    case Operand::Kind::length:
    case Operand::Kind::rank:
    case Operand::Kind::dtype:
    case Operand::Kind::dim:
    case Operand::Kind::opset:
    case Operand::Kind::version:
      return AttributeProto::INT;
    case Operand::Kind::range:
      return AttributeProto::INTS;
    case Operand::Kind::quotient:
      return AttributeProto::FLOAT;
    case Operand::Kind::list: {
      AttributeType element = operand.parts.empty() ? AttributeProto::INT : part(0);
      for (std::size_t index = 1; index < operand.parts.size(); ++index) element = common(element, part(index));
      return list_of(element);
    }
    case Operand::Kind::product: {
      // A list multiplied by a number is repeated.
      const AttributeType left = part(0);
      return element_of(left) != AttributeProto::UNDEFINED ? left : common(left, part(1));
    }
    case Operand::Kind::minimum:
    case Operand::Kind::maximum: {
      const AttributeType first = part(0);
      if (operand.parts.size() == 1) return element_of(first) != AttributeProto::UNDEFINED ? element_of(first) : first;
      for (std::size_t index = 1; index < operand.parts.size(); ++index) {
        if (part(index) != first) return AttributeProto::UNDEFINED;
      }
      return first;
    }
    case Operand::Kind::negative:
      return part(0);
    case Operand::Kind::sum:
    case Operand::Kind::difference:
    case Operand::Kind::floor_quotient:
    case Operand::Kind::remainder:
      return common(part(0), part(1));
    case Operand::Kind::choice:
      return same(part(0), part(1));
    case Operand::Kind::element:
      return element_of(part(0));
    default:  // true or false, which is no value
      return AttributeProto::UNDEFINED;
  }
}

}  // namespace

bool condition::set_values(AttributeProto& attribute, const std::vector<Operand::Literal>& list) {
  AttributeType type = list.empty() ? AttributeProto::INT : type_of_literal(list.front());
  for (const Operand::Literal& literal : list) type = common(type, type_of_literal(literal));
  if (type == AttributeProto::UNDEFINED) return false;
  attribute.set_type(list_of(type));
  for (const Operand::Literal& literal : list) {
    if (type == AttributeProto::STRING) {
      attribute.add_strings(std::get<std::string>(literal));
    } else if (type == AttributeProto::FLOAT) {
      attribute.add_floats(float_of(literal));
    } else {
      attribute.add_ints(integer_of(literal));
    }
  }
  return true;
}

void condition::set_value(AttributeProto& attribute, const Operand::Literal& literal) {
  attribute.set_type(type_of_literal(literal));
  if (attribute.type() == AttributeProto::STRING) {
    attribute.set_s(std::get<std::string>(literal));
  } else if (attribute.type() == AttributeProto::FLOAT) {
    attribute.set_f(float_of(literal));
  } else {
    attribute.set_i(integer_of(literal));
  }
}

std::vector<Definition> Definition::parse(std::string_view text) {
  const auto parsed = std::make_shared<condition::ParsedDefinitions>();
  parsed->text = text;
  parsed->all = condition::parse_definitions(parsed->text);
  std::vector<Definition> definitions;
  for (const condition::NamedOperand& root : parsed->all)
    definitions.push_back(Definition(std::shared_ptr<const condition::NamedOperand>(parsed, &root)));
  return definitions;
}

const std::string& Definition::name() const { return root_->name; }

std::size_t Definition::offset() const { return root_->offset; }

Definition::Result Definition::evaluate(const ConditionFacts& facts) const {
  Value value = value_of(root_->operand, facts);
  if (!value.why.empty()) return {.value = {}, .reason = std::move(value.why)};
  Result result;
  AttributeProto& attribute = result.value.emplace();
  attribute.set_name(root_->name);
  if (value.value) {
    condition::set_value(attribute, *value.value);
  } else if (!condition::set_values(attribute, *value.list)) {
    return {.value = {}, .reason = fmt::format("{} holds strings beside numbers", root_->operand.text)};
  }
  return result;
}

AttributeType Definition::type(const std::function<AttributeType(std::string_view)>& type_of) const {
  return type_of_operand(root_->operand, type_of);
}

std::vector<Condition::Name> Definition::attribute_names() const {
  return condition::names_of(root_->operand, &Operand::names_attribute);
}

std::vector<Condition::Name> Definition::value_names() const {
  return condition::names_of(root_->operand, &Operand::names_value);
}

}  // namespace onnx_lower

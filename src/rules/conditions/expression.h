// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The parsed parts of a rule's conditions and definitions: operands, which have a value, and
// expressions, which are true or false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rules/conditions/condition.h"

namespace onnx_lower::condition {

struct Expression;

struct Operand {
  enum class Kind {
    literal,
    attribute,
    given,
    length,
    rank,
    dtype,
    dim,
    constant,
    present,
    made_by,  // its `names` are operators
    behind,   // its `names` are operators
    read_by,  // its `names` are operators
    iteration,
    accumulated,
    nonnegative,
    positive,
    zero,
    known,
    stretched,
    ranked,
    fixed,
    holds,         // its `names` are operators
    model_output,  // whether an output has an element type, or a named value is an output
    opset,
    version,
    // Operands that are computed from their `parts`:
    list,
    range,
    minimum,
    maximum,
    negative,
    sum,
    difference,
    product,
    quotient,
    floor_quotient,
    remainder,
    element,
    choice
  };

  struct ElementType {
    int type;  // TensorProto.DataType
  };
  using Literal = std::variant<int64_t, double, std::string, ElementType>;

  Kind kind = Kind::literal;
  std::string name;  // of the attribute or the value
  std::vector<std::string> names;
  Literal literal;
  // For choice: the value if the condition holds, and the one if it does not.
  std::vector<Operand> parts;
  std::vector<Expression> condition;  // for choice: one
  std::string_view text;              // as written: a part of the text that was parsed
  int height = 0;                     // how deep operands are nested in it
  std::size_t offset = 0;
  std::size_t name_offset = 0;

  bool names_value() const {
    return (kind >= Kind::rank && kind <= Kind::fixed) || (kind == Kind::model_output && !name.empty());
  }
  bool names_attribute() const { return kind == Kind::attribute || kind == Kind::given; }
  bool is_opset() const { return kind == Kind::opset; }
  bool is_predicate() const { return (kind >= Kind::constant && kind <= Kind::model_output) || kind == Kind::given; }
  bool is_element_type() const {
    return kind == Kind::dtype || (kind == Kind::literal && std::holds_alternative<ElementType>(literal));
  }
  bool is_number() const {
    return kind == Kind::rank || kind == Kind::dim || kind == Kind::length || kind == Kind::opset ||
           kind == Kind::version || (kind >= Kind::negative && kind <= Kind::remainder);
  }
};

struct Expression {
  enum class Kind { operand, compare, in, negation, certainty, conjunction, disjunction };

  Kind kind = Kind::operand;
  std::string comparison;         // "==" …
  std::vector<Operand> operands;  // one; two for compare; the element and the list for in
  std::vector<Expression> children;
  // For `in`, where the element type of a value is looked for in a list of types: bit N
  // stands for TensorProto.DataType N.
  uint64_t element_types = 0;
};

struct ParsedCondition {
  std::string text;
  Expression root;
};

// `name = operand`
struct NamedOperand {
  std::string name;
  std::size_t offset = 0;
  Operand operand;
};

struct ParsedDefinitions {
  std::string text;
  std::vector<NamedOperand> all;
};

// Both throw ConditionError. The text must outlive their results.
Expression parse_condition(std::string_view text);
std::vector<NamedOperand> parse_definitions(std::string_view text);

// The value of an operand, or why there is none.
struct Value {
  std::optional<Operand::Literal> value = {};
  bool is_single = false;  // came from a float attribute, so it compares as float
  std::string why = {};
  std::optional<std::vector<Operand::Literal>> list = {};  // instead of `value`
};

Value value_of(const Operand& operand, const ConditionFacts& facts);
// The value of an operand that must not be a list: a list is a reason for having no value.
Value literal_of(const Operand& operand, const ConditionFacts& facts);

// Sets the value of the attribute, and its type.
void set_value(onnx::AttributeProto& attribute, const Operand::Literal& literal);
// Sets a list as the value. Returns false where the list has strings as well as numbers.
bool set_values(onnx::AttributeProto& attribute, const std::vector<Operand::Literal>& list);

// The value as messages show it; it must not be a list.
std::string to_text(const Value& value);

// -1, 0 or 1 if `left` is less, equal or greater; 2 if none of these (NaN); nothing when they
// cannot be compared.
std::optional<int> order(const Value& left, const Value& right);

// Evaluates an expression and puts the reason into words, which takes more time than all else.
ConditionResult evaluate(const Expression& expression, const ConditionFacts& facts);

// Visits all operands, the outer ones first.
template <typename Visit>
void visit_operands(const Expression& expression, const Visit& visit);

template <typename Visit>
void visit_operands(const Operand& operand, const Visit& visit) {
  visit(operand);
  for (const Operand& part : operand.parts) visit_operands(part, visit);
  for (const Expression& condition : operand.condition) visit_operands(condition, visit);
}

template <typename Visit>
void visit_operands(const Expression& expression, const Visit& visit) {
  for (const Operand& operand : expression.operands) visit_operands(operand, visit);
  for (const Expression& child : expression.children) visit_operands(child, visit);
}

// The names in those operands for which `wanted` returns true.
template <typename Tree>
std::vector<Condition::Name> names_of(const Tree& tree, bool (Operand::*wanted)() const) {
  std::vector<Condition::Name> names;
  visit_operands(tree, [&](const Operand& operand) {
    if ((operand.*wanted)()) names.push_back({operand.name, operand.name_offset});
  });
  return names;
}

}  // namespace onnx_lower::condition

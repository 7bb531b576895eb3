// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "rules/expression.h"

namespace onnx_lower {
namespace {

using condition::Expression;
using condition::literal_of;
using condition::Operand;
using condition::order;
using condition::to_text;
using condition::Value;
using Truth = ConditionResult::Truth;

bool satisfies(int order, std::string_view comparison) {
  if (comparison == "==") return order == 0;
  if (comparison == "!=") return order != 0;
  if (comparison == "<") return order == -1;
  if (comparison == "<=") return order == -1 || order == 0;
  if (comparison == ">") return order == 1;
  return order == 1 || order == 0;
}

ConditionResult as_result(bool truth, std::string reason) {
  return {truth ? Truth::yes : Truth::no, std::move(reason)};
}

// How an expression is evaluated. Reasons are put into words only where somebody will read them, since that costs most: most forms that do not fit a node are
// followed by one that does.
struct Question {
  const ConditionFacts& facts;
  bool with_reason;

  template <typename Words>
  std::string reason(Words words) const {
    return with_reason ? words() : std::string();
  }
};

ConditionResult evaluate_operand(const Operand& operand, const Question& question) {
  const ConditionFacts& facts = question.facts;
  if (operand.kind == Operand::Kind::constant) {
    const std::optional<bool> known = facts.is_constant(operand.name);
    if (!known) return {Truth::unknown, operand.name + " may be a constant"};
    const bool truth = *known;
    return as_result(truth,
                     question.reason([&] { return operand.name + (truth ? " is a constant" : " is not a constant"); }));
  }
  if (operand.kind == Operand::Kind::given) {
    const bool truth = facts.is_given(operand.name);
    return as_result(truth, question.reason([&] {
      return fmt::format("attribute {} is {}", operand.name, truth ? "given" : "not given");
    }));
  }
  if (operand.kind == Operand::Kind::present) {
    const bool truth = facts.is_present(operand.name);
    return as_result(truth, question.reason([&] { return operand.name + (truth ? " is present" : " is absent"); }));
  }
  if (operand.kind == Operand::Kind::made_by) {
    const bool truth = facts.is_made_by(operand.name, operand.names);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} made by {}", operand.name, truth ? "is" : "is not", fmt::join(operand.names, " of "));
    }));
  }
  if (operand.kind == Operand::Kind::read_by) {
    const bool truth = facts.is_read_by(operand.name, operand.names);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} read by {}", operand.name, truth ? "is" : "is not",
                         fmt::join(operand.names, " before "));
    }));
  }
  if (operand.kind == Operand::Kind::iteration) {
    const bool truth = facts.is_iteration(operand.name);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} the number of an iteration", operand.name, truth ? "is" : "is not");
    }));
  }
  if (operand.kind == Operand::Kind::nonnegative) {
    const bool truth = facts.is_nonnegative(operand.name);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} a constant without negative elements", operand.name, truth ? "is" : "is not");
    }));
  }
  if (operand.kind == Operand::Kind::positive) {
    const bool truth = facts.is_positive(operand.name);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} a constant above 0", operand.name, truth ? "is" : "is not");
    }));
  }
  if (operand.kind == Operand::Kind::known) {
    const bool truth = facts.is_known(operand.name);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} known before the model runs", operand.name, truth ? "is" : "is not");
    }));
  }
  if (operand.kind == Operand::Kind::model_output && !operand.name.empty()) {
    const bool truth = facts.is_model_output(operand.name);
    return as_result(truth, question.reason([&] {
      return fmt::format("{} {} an output of the model", operand.name, truth ? "is" : "is not");
    }));
  }
  if (operand.kind == Operand::Kind::model_output) {
    Value type;
    type.value = operand.literal;
    const std::optional<bool> truth = facts.has_model_output(std::get<Operand::ElementType>(operand.literal).type);
    if (!truth)
      return {Truth::unknown, fmt::format("it is not known whether an output of the model is {}", to_text(type))};
    return as_result(*truth, question.reason([&] {
      return fmt::format("{} of the model is {}", *truth ? "an output" : "no output", to_text(type));
    }));
  }
  const Value value = literal_of(operand, facts);
  if (!value.value) return {Truth::unknown, value.why};
  const auto* integer = std::get_if<int64_t>(&*value.value);
  if (integer == nullptr)
    return {Truth::unknown, fmt::format("{} is {}, neither true nor false", operand.text, to_text(value))};
  return as_result(*integer != 0, question.reason([&] { return fmt::format("{} is {}", operand.text, *integer); }));
}

std::string comparison_in_words(const Expression& expression, const Value& left_value, const Value& right_value,
                                std::optional<int> compared) {
  const Operand& right = expression.operands[1];
  const std::string is = fmt::format("{} is {}", expression.operands[0].text, to_text(left_value));
  std::string other = to_text(right_value);
  if (!compared) return fmt::format("{}, which cannot be compared with {}", is, other);
  if (right.kind != Operand::Kind::literal) other = fmt::format("{} ({})", right.text, other);
  const bool is_equality = expression.comparison == "==" || expression.comparison == "!=";
  if (!is_equality) {
    const bool truth = satisfies(*compared, expression.comparison);
    return fmt::format("{}, which is {}{} {}", is, truth ? "" : "not ", expression.comparison, other);
  }
  if (*compared != 0) return fmt::format("{}, not {}", is, other);
  return right.kind == Operand::Kind::literal ? is : fmt::format("{}, as is {}", is, right.text);
}

ConditionResult evaluate_comparison(const Expression& expression, const Question& question) {
  const Operand& left = expression.operands[0];
  const Operand& right = expression.operands[1];
  const Value left_value = literal_of(left, question.facts);
  if (!left_value.value) return {Truth::unknown, left_value.why};
  const Value right_value = literal_of(right, question.facts);
  if (!right_value.value) return {Truth::unknown, right_value.why};
  const auto compared = order(left_value, right_value);
  const Truth truth = !compared ? Truth::unknown : satisfies(*compared, expression.comparison) ? Truth::yes : Truth::no;
  return {truth, question.reason([&] { return comparison_in_words(expression, left_value, right_value, compared); })};
}

ConditionResult evaluate_in(const Expression& expression, const Question& question) {
  const Operand& sought = expression.operands[0];
  if (expression.element_types != 0 && !question.with_reason) {
    const onnx::TypeProto* known = question.facts.type(sought.name, Detail::element_type);
    if (known == nullptr) return {};
    const int type =
        known->has_sparse_tensor_type() ? known->sparse_tensor_type().elem_type() : known->tensor_type().elem_type();
    if (type <= 0 || type >= 64) return {};
    return {(expression.element_types >> type & 1) != 0 ? Truth::yes : Truth::no, {}};
  }
  const Value value = literal_of(sought, question.facts);
  if (!value.value) return {Truth::unknown, value.why};
  const auto is = [&] { return fmt::format("{} is {}", sought.text, to_text(value)); };
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    const Value candidate = literal_of(expression.operands[i], question.facts);
    if (!candidate.value) return {Truth::unknown, candidate.why};
    const auto compared = order(value, candidate);
    if (!compared) {
      return {Truth::unknown, question.reason([&] {
                return fmt::format("{}, which cannot be compared with {}", is(), to_text(candidate));
              })};
    }
    if (*compared == 0) return {Truth::yes, question.reason(is)};
  }
  return {Truth::no, question.reason([&] {
            std::string list;
            for (std::size_t i = 1; i < expression.operands.size(); ++i) {
              if (i > 1) list += i + 1 == expression.operands.size() ? " or " : ", ";
              list += to_text(literal_of(expression.operands[i], question.facts));
            }
            return fmt::format("{}, not {}", is(), list);
          })};
}

ConditionResult evaluate_expression(const Expression& expression, const Question& question);

// The first child that is `decisive` decides; else one that is unknown; else all their reasons together.
ConditionResult evaluate_chain(const Expression& expression, const Question& question, Truth decisive) {
  std::optional<ConditionResult> undecided;
  std::string reasons;
  for (const Expression& child : expression.children) {
    ConditionResult result = evaluate_expression(child, question);
    if (result.truth == decisive) return result;
    if (result.truth == Truth::unknown && !undecided) {
      undecided = std::move(result);
    } else if (question.with_reason) {
      reasons += (reasons.empty() ? "" : " and ") + result.reason;
    }
  }
  if (undecided) return *undecided;
  return {decisive == Truth::yes ? Truth::no : Truth::yes, reasons};
}

ConditionResult evaluate_expression(const Expression& expression, const Question& question) {
  switch (expression.kind) {
    case Expression::Kind::operand:
      return evaluate_operand(expression.operands[0], question);
    case Expression::Kind::compare:
      return evaluate_comparison(expression, question);
    case Expression::Kind::in:
      return evaluate_in(expression, question);
    case Expression::Kind::conjunction:
      return evaluate_chain(expression, question, Truth::no);
    case Expression::Kind::disjunction:
      return evaluate_chain(expression, question, Truth::yes);
    case Expression::Kind::negation:
    case Expression::Kind::certainty:
      break;
  }
  ConditionResult result = evaluate_expression(expression.children[0], question);
  if (expression.kind == Expression::Kind::certainty) {
    // What is not known is not so.
    if (result.truth == Truth::unknown) result.truth = Truth::no;
  } else if (result.truth == Truth::yes) {
    result.truth = Truth::no;
  } else if (result.truth == Truth::no) {
    result.truth = Truth::yes;
  }
  return result;
}

}  // namespace

ConditionResult condition::evaluate(const Expression& expression, const ConditionFacts& facts, bool with_reason) {
  return evaluate_expression(expression, {.facts = facts, .with_reason = with_reason});
}

Condition Condition::parse(std::string_view text) {
  Expression root = condition::parse_condition(text);
  Condition condition;
  condition.text_ = text;
  condition.root_ = std::make_shared<const Expression>(std::move(root));
  return condition;
}

ConditionResult Condition::evaluate(const ConditionFacts& facts) const {
  return condition::evaluate(*root_, facts, true);
}

bool Condition::holds(const ConditionFacts& facts) const { return condition::evaluate(*root_, facts, false).holds(); }

namespace {

constexpr uint64_t undefined_type = uint64_t{1} << onnx::TensorProto::UNDEFINED;

// Adds types that suffice for the expression to hold, or not to hold; false where there are none.
bool collect_type_lists(const Expression& expression, bool negated, std::vector<Condition::TypeList>& lists) {
  switch (expression.kind) {
    case Expression::Kind::negation:
      return collect_type_lists(expression.children[0], !negated, lists);
    case Expression::Kind::conjunction:
      return !negated && std::ranges::all_of(expression.children, [&](const Expression& child) {
        return collect_type_lists(child, false, lists);
      });
    case Expression::Kind::disjunction:
      return !negated && std::ranges::any_of(expression.children, [&](const Expression& child) {
        std::vector<Condition::TypeList> found;
        if (!collect_type_lists(child, false, found)) return false;
        lists.insert(lists.end(), found.begin(), found.end());
        return true;
      });
    case Expression::Kind::in:
      if (expression.element_types == 0) return false;
      lists.push_back({expression.operands[0].name,
                       negated ? ~(expression.element_types | undefined_type) : expression.element_types});
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<Condition::TypeList> Condition::type_lists() const {
  std::vector<TypeList> lists;
  if (!collect_type_lists(*root_, false, lists)) lists.clear();
  return lists;
}

bool Condition::fails(const ConditionFacts& facts) const {
  return condition::evaluate(*root_, facts, false).truth == Truth::no;
}

std::vector<Condition::Name> Condition::attribute_names() const {
  return condition::names_of(*root_, &Operand::names_attribute);
}

std::vector<Condition::Name> Condition::value_names() const {
  return condition::names_of(*root_, &Operand::names_value);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/conditions/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "rules/conditions/expression.h"
#include "standard_operators/node_attribute.h"

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

Truth truth_of(bool holds) { return holds ? Truth::yes : Truth::no; }

// What a condition is evaluated for. Reasons are put into words only where somebody will read them,
// since this takes the most time: most forms that do not fit a node are followed by one that does.
struct Question {
  const ConditionFacts& facts;
  std::string* reason;  // null: nobody asks for it
  // What shapes do not tell counts as not known where they may tell it once they are known
  // themselves.
  bool lets_shapes_open = false;

  template <typename Words>
  Truth answer(Truth truth, const Words& words) const {
    if (reason != nullptr) *reason = words();
    return truth;
  }
  template <typename Words>
  Truth answer(bool holds, const Words& words) const {
    return answer(truth_of(holds), words);
  }
  Truth not_known(const std::string& why) const {
    if (reason != nullptr) *reason = why;
    return Truth::unknown;
  }
};

// Evaluates model_output(TYPE): whether an output of the model has that element type.
Truth evaluate_model_output(const Operand& operand, const Question& question) {
  Value type;
  type.value = operand.literal;
  const std::optional<bool> truth =
      question.facts.has_model_output(std::get<Operand::ElementType>(operand.literal).type);
  if (!truth) {
    return question.answer(Truth::unknown, [&] {
      return fmt::format("it is not known whether an output of the model is {}", to_text(type));
    });
  }
  return question.answer(
      *truth, [&] { return fmt::format("{} of the model is {}", *truth ? "an output" : "no output", to_text(type)); });
}

Truth evaluate_number(const Operand& operand, const Question& question) {
  const Value value = literal_of(operand, question.facts);
  if (!value.value) return question.not_known(value.why);
  const auto* integer = std::get_if<int64_t>(&*value.value);
  if (integer == nullptr) {
    return question.answer(
        Truth::unknown, [&] { return fmt::format("{} is {}, neither true nor false", operand.text, to_text(value)); });
  }
  return question.answer(*integer != 0, [&] { return fmt::format("{} is {}", operand.text, *integer); });
}

// Evaluates a question about the operators of the nodes before, behind and inside the node.
Truth evaluate_nodes_around(const Operand& operand, const Question& question) {
  const ConditionFacts& facts = question.facts;
  switch (operand.kind) {
    case Operand::Kind::made_by: {
      const bool truth = facts.is_made_by(operand.name, operand.names);
      return question.answer(truth, [&] {
        return fmt::format("{} {} made by {}", operand.name, truth ? "is" : "is not", fmt::join(operand.names, " of "));
      });
    }
    case Operand::Kind::behind: {
      const bool truth = std::ranges::any_of(
          operand.names, [&](const std::string& op_type) { return facts.is_behind(operand.name, op_type); });
      return question.answer(truth, [&] {
        return fmt::format("{} {} behind a {}", operand.name, truth ? "is" : "is not",
                           fmt::join(operand.names, " or a "));
      });
    }
    case Operand::Kind::read_by: {
      const bool truth = facts.is_read_by(operand.name, operand.names);
      return question.answer(truth, [&] {
        return fmt::format("{} {} read{}{}", operand.name, truth ? "is" : "is not", operand.names.empty() ? "" : " by ",
                           fmt::join(operand.names, " before "));
      });
    }
    default: {
      const bool truth = facts.holds(operand.names);
      return question.answer(truth, [&] {
        return fmt::format("it {} {}", truth ? "holds" : "does not hold", fmt::join(operand.names, " with "));
      });
    }
  }
}

// Evaluates an operand that is a condition by itself: a predicate, or a number, which holds if it
// is not 0.
Truth evaluate_operand(const Operand& operand, const Question& question) {
  const ConditionFacts& facts = question.facts;
  // The answer about a value, with the words for yes and for no.
  const auto answer = [&](bool truth, std::string_view yes, std::string_view no) {
    return question.answer(truth, [&] { return fmt::format("{} {}", operand.name, truth ? yes : no); });
  };
  // A value that is not computed from elements of the model's inputs may be known by their shapes.
  const auto waits_for_shapes = [&](bool is_known) {
    return question.lets_shapes_open && !is_known && !facts.is_constant(operand.name).has_value();
  };
  switch (operand.kind) {
    case Operand::Kind::constant: {
      const std::optional<bool> known = facts.is_constant(operand.name);
      if (known) return answer(*known, "is a constant", "is not a constant");
      return question.answer(Truth::unknown, [&] { return operand.name + " may be a constant"; });
    }
    case Operand::Kind::given: {
      const bool truth = facts.is_given(operand.name);
      return question.answer(
          truth, [&] { return fmt::format("attribute {} is {}", operand.name, truth ? "given" : "not given"); });
    }
    case Operand::Kind::present:
      return answer(facts.is_present(operand.name), "is present", "is absent");
    case Operand::Kind::made_by:
    case Operand::Kind::behind:
    case Operand::Kind::read_by:
    case Operand::Kind::holds:
      return evaluate_nodes_around(operand, question);
    case Operand::Kind::iteration:
      return answer(facts.is_iteration(operand.name), "is the number of an iteration",
                    "is not the number of an iteration");
    case Operand::Kind::accumulated:
      return answer(facts.is_accumulated(operand.name), "is a list that a Loop begins without tensors and adds one to",
                    "is no list that a Loop begins without tensors and adds one to");
    case Operand::Kind::nonnegative:
      if (waits_for_shapes(facts.is_nonnegative(operand.name))) return Truth::unknown;
      return answer(facts.is_nonnegative(operand.name), "has no negative elements", "may have negative elements");
    case Operand::Kind::positive:
      if (waits_for_shapes(facts.is_positive(operand.name))) return Truth::unknown;
      return answer(facts.is_positive(operand.name), "is known to be above 0", "is not known to be above 0");
    case Operand::Kind::zero:
      return answer(facts.is_zero(operand.name), "is known to be 0", "is not known to be 0");
    case Operand::Kind::known:
      if (waits_for_shapes(facts.is_known(operand.name))) return Truth::unknown;
      return answer(facts.is_known(operand.name), "is known before the model runs",
                    "is not known before the model runs");
    case Operand::Kind::stretched:
      return answer(facts.is_stretched(operand.name), "is broadcast", "is not known to be broadcast");
    case Operand::Kind::ranked:
      if (question.lets_shapes_open && !facts.is_ranked(operand.name)) return Truth::unknown;
      return answer(facts.is_ranked(operand.name), "has a known number of dimensions",
                    "has not a known number of dimensions");
    case Operand::Kind::fixed:
      if (question.lets_shapes_open && !facts.is_static(operand.name)) return Truth::unknown;
      return answer(facts.is_static(operand.name), "has a known shape", "has no known shape");
    case Operand::Kind::model_output:
      if (operand.name.empty()) return evaluate_model_output(operand, question);
      return answer(facts.is_model_output(operand.name), "is an output of the model", "is not an output of the model");
    default:
      break;
  }
  return evaluate_number(operand, question);
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

// Compares a string attribute with a string in the rule, without copying either: most conditions do
// this. Nothing if the operands are something else.
std::optional<int> order_of_texts(const Operand& left, const Operand& right, const ConditionFacts& facts) {
  const auto* said = std::get_if<std::string>(&right.literal);
  if (left.kind != Operand::Kind::attribute || right.kind != Operand::Kind::literal || said == nullptr)
    return std::nullopt;
  const onnx::AttributeProto* given = facts.attribute(left.name);
  if (given == nullptr || is_open(*given) || given->type() != onnx::AttributeProto::STRING) return std::nullopt;
  const int compared = given->s().compare(*said);
  return compared < 0 ? -1 : compared > 0 ? 1 : 0;
}

Truth evaluate_comparison(const Expression& expression, const Question& question) {
  const Operand& left = expression.operands[0];
  const Operand& right = expression.operands[1];
  if (question.reason == nullptr) {
    if (const std::optional<int> compared = order_of_texts(left, right, question.facts))
      return truth_of(satisfies(*compared, expression.comparison));
  }
  const Value left_value = literal_of(left, question.facts);
  if (!left_value.value) return question.not_known(left_value.why);
  const Value right_value = literal_of(right, question.facts);
  if (!right_value.value) return question.not_known(right_value.why);
  const auto compared = order(left_value, right_value);
  const Truth truth = !compared ? Truth::unknown : truth_of(satisfies(*compared, expression.comparison));
  return question.answer(truth, [&] { return comparison_in_words(expression, left_value, right_value, compared); });
}

Truth evaluate_in(const Expression& expression, const Question& question) {
  const Operand& sought = expression.operands[0];
  if (expression.element_types != 0 && question.reason == nullptr) {
    const onnx::TypeProto* known = question.facts.type(sought.name, Detail::element_type);
    if (known == nullptr) return Truth::unknown;
    const int type =
        known->has_sparse_tensor_type() ? known->sparse_tensor_type().elem_type() : known->tensor_type().elem_type();
    if (type <= 0 || type >= 64) return Truth::unknown;
    return truth_of((expression.element_types >> type & 1) != 0);
  }
  const Value value = literal_of(sought, question.facts);
  if (!value.value) return question.not_known(value.why);
  const auto is = [&] { return fmt::format("{} is {}", sought.text, to_text(value)); };
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    const Value candidate = literal_of(expression.operands[i], question.facts);
    if (!candidate.value) return question.not_known(candidate.why);
    const auto compared = order(value, candidate);
    if (!compared) {
      return question.answer(Truth::unknown, [&] {
        return fmt::format("{}, which cannot be compared with {}", is(), to_text(candidate));
      });
    }
    if (*compared == 0) return question.answer(Truth::yes, is);
  }
  return question.answer(Truth::no, [&] {
    std::string list;
    for (std::size_t i = 1; i < expression.operands.size(); ++i) {
      if (i > 1) list += i + 1 == expression.operands.size() ? " or " : ", ";
      list += to_text(literal_of(expression.operands[i], question.facts));
    }
    return fmt::format("{}, not {}", is(), list);
  });
}

Truth evaluate_expression(const Expression& expression, const Question& question);

// If a child evaluates to `decisive`, so does the chain, with the reason of the first such
// child. Otherwise a child that is unknown makes the chain unknown; otherwise the reasons of
// all children are joined.
Truth evaluate_chain(const Expression& expression, const Question& question, Truth decisive) {
  bool all_known = true;
  std::string reasons;
  for (const Expression& child : expression.children) {
    std::string reason;
    const Truth truth = evaluate_expression(
        child, {question.facts, question.reason == nullptr ? nullptr : &reason, question.lets_shapes_open});
    if (truth == decisive) return question.answer(decisive, [&] { return std::move(reason); });
    if (truth == Truth::unknown && all_known) {
      all_known = false;
      reasons = std::move(reason);
    } else if (all_known && question.reason != nullptr) {
      reasons += (reasons.empty() ? "" : " and ") + reason;
    }
  }
  const Truth truth = !all_known ? Truth::unknown : decisive == Truth::yes ? Truth::no : Truth::yes;
  return question.answer(truth, [&] { return std::move(reasons); });
}

Truth evaluate_expression(const Expression& expression, const Question& question) {
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
  const Truth truth = evaluate_expression(expression.children[0], question);
  // Certainty is false where the truth is unknown.
  if (expression.kind == Expression::Kind::certainty)
    return truth == Truth::unknown && !question.lets_shapes_open ? Truth::no : truth;
  return truth == Truth::unknown ? truth : truth_of(truth == Truth::no);
}

}  // namespace

ConditionResult condition::evaluate(const Expression& expression, const ConditionFacts& facts) {
  ConditionResult result;
  result.truth = evaluate_expression(expression, {.facts = facts, .reason = &result.reason});
  return result;
}

Condition Condition::parse(std::string_view text) {
  const auto parsed = std::make_shared<condition::ParsedCondition>();
  parsed->text = text;
  parsed->root = condition::parse_condition(parsed->text);
  return Condition(parsed);
}

const std::string& Condition::text() const { return parsed_->text; }

ConditionResult Condition::evaluate(const ConditionFacts& facts) const {
  return condition::evaluate(parsed_->root, facts);
}

bool Condition::holds(const ConditionFacts& facts) const {
  return evaluate_expression(parsed_->root, {.facts = facts, .reason = nullptr}) == Truth::yes;
}

namespace {

constexpr uint64_t undefined_type = uint64_t{1} << onnx::TensorProto::UNDEFINED;

// Adds to `lists` types that suffice for the expression to be true, or false if `negated`. Returns
// false where there are none.
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

std::optional<Condition::ExcludedProducer> find_maker_to_avoid(const Expression& expression) {
  if (expression.kind == Expression::Kind::disjunction) {
    for (const Expression& child : expression.children) {
      if (std::optional<Condition::ExcludedProducer> found = find_maker_to_avoid(child)) return found;
    }
  }
  if (expression.kind != Expression::Kind::negation) return std::nullopt;
  const Expression& negated = expression.children[0];
  if (negated.kind != Expression::Kind::operand || negated.operands[0].kind != Operand::Kind::made_by)
    return std::nullopt;
  return Condition::ExcludedProducer{negated.operands[0].name, negated.operands[0].names[0]};
}

}  // namespace

std::optional<Condition::ExcludedProducer> Condition::holds_unless_made_by() const {
  return find_maker_to_avoid(parsed_->root);
}

std::vector<Condition::TypeList> Condition::type_lists() const {
  std::vector<TypeList> lists;
  if (!collect_type_lists(parsed_->root, false, lists)) lists.clear();
  return lists;
}

namespace {

bool asks_types_and_names(const Expression& expression) {
  const auto is_same_for_all = [](const Operand& operand) {
    return operand.kind == Operand::Kind::literal || operand.kind == Operand::Kind::opset ||
           operand.kind == Operand::Kind::version;
  };
  switch (expression.kind) {
    case Expression::Kind::operand:
      return expression.operands[0].kind == Operand::Kind::given ||
             expression.operands[0].kind == Operand::Kind::present;
    case Expression::Kind::compare:
      return std::ranges::all_of(expression.operands, is_same_for_all);
    case Expression::Kind::in:
      return expression.element_types != 0;
    default:
      return std::ranges::all_of(expression.children, asks_types_and_names);
  }
}

}  // namespace

bool Condition::goes_by_types_and_names() const { return asks_types_and_names(parsed_->root); }

bool Condition::goes_by_opset() const { return !condition::names_of(parsed_->root, &Operand::is_opset).empty(); }

bool Condition::fails(const ConditionFacts& facts) const {
  return evaluate_expression(parsed_->root, {.facts = facts, .reason = nullptr}) == Truth::no;
}

bool Condition::may_hold_with_shapes(const ConditionFacts& facts) const {
  return evaluate_expression(parsed_->root, {.facts = facts, .reason = nullptr, .lets_shapes_open = true}) != Truth::no;
}

std::vector<Condition::Name> Condition::attribute_names() const {
  return condition::names_of(parsed_->root, &Operand::names_attribute);
}

std::vector<Condition::Name> Condition::value_names() const {
  return condition::names_of(parsed_->root, &Operand::names_value);
}

}  // namespace onnx_lower

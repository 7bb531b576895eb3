// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <variant>

#include "rules/element_type.h"

namespace onnx_lower {
namespace condition {

struct Operand {
  enum class Kind { literal, attribute, given, length, rank, dtype, dim, constant, present, opset };

  struct ElementType {
    int type;
  };
  using Literal = std::variant<int64_t, double, std::string, ElementType>;

  Kind kind = Kind::literal;
  std::string name;  // of the attribute or the value
  int64_t axis = 0;  // for dim
  Literal literal;
  std::string text;  // as written
  std::size_t offset = 0;
  std::size_t name_offset = 0;

  bool names_value() const { return kind >= Kind::rank && kind <= Kind::present; }
  bool is_predicate() const { return kind == Kind::constant || kind == Kind::present || kind == Kind::given; }
  bool is_element_type() const {
    return kind == Kind::dtype || (kind == Kind::literal && std::holds_alternative<ElementType>(literal));
  }
};

struct Expression {
  enum class Kind { operand, compare, in, negation, conjunction, disjunction };

  Kind kind = Kind::operand;
  std::string comparison;         // "==" …
  std::vector<Operand> operands;  // one; two for compare; the sought one and the list for in
  std::vector<Expression> children;
  uint64_t element_types = 0;  // of `in`, where a dtype is sought among element types: a bit for each
};

}  // namespace condition

namespace {

using condition::Expression;
using condition::Operand;
using Truth = ConditionResult::Truth;

// Whether what is called so names an attribute.
bool is_of_attribute(Operand::Kind kind) { return kind == Operand::Kind::length || kind == Operand::Kind::given; }

// A condition is a line of text; what nests deeper is an accident or an attack on the stack.
constexpr int max_depth = 50;

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool continues_name(char c) { return starts_name(c) || is_digit(c); }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expression parse() {
    Expression whole = disjunction(0);
    skip_space();
    if (position_ < text_.size())
      fail(fmt::format("expected 'and', 'or' or the end of the condition, found {}", found()));
    return whole;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw ConditionError(position_, message); }
  [[noreturn]] static void fail_at(std::size_t offset, const std::string& message) {
    throw ConditionError(offset, message);
  }

  void skip_space() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\n')) {
      ++position_;
    }
  }

  std::string found() const {
    if (position_ >= text_.size()) return "the end of the condition";
    std::size_t end = position_;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    if (end == position_) ++end;
    return fmt::format("'{}'", text_.substr(position_, end - position_));
  }

  bool take(std::string_view symbol) {
    skip_space();
    if (text_.substr(position_, symbol.size()) != symbol) return false;
    position_ += symbol.size();
    return true;
  }

  void expect(std::string_view symbol, std::string_view place) {
    if (!take(symbol)) fail(fmt::format("expected '{}' {}, found {}", symbol, place, found()));
  }

  std::string_view peek_word() {
    skip_space();
    if (position_ >= text_.size() || !starts_name(text_[position_])) return {};
    std::size_t end = position_;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    return text_.substr(position_, end - position_);
  }

  bool take_word(std::string_view word) {
    if (peek_word() != word) return false;
    position_ += word.size();
    return true;
  }

  Expression disjunction(int depth) {
    return chain(Expression::Kind::disjunction, "or", depth, [&] { return conjunction(depth); });
  }

  Expression conjunction(int depth) {
    return chain(Expression::Kind::conjunction, "and", depth, [&] { return unary(depth); });
  }

  template <typename Part>
  Expression chain(Expression::Kind kind, std::string_view word, int depth, Part part) {
    if (depth > max_depth) fail("the condition nests too deep");
    Expression first = part();
    if (peek_word() != word) return first;
    Expression all;
    all.kind = kind;
    all.children.push_back(std::move(first));
    while (take_word(word)) all.children.push_back(part());
    return all;
  }

  Expression unary(int depth) {
    if (take_word("not")) {
      if (depth > max_depth) fail("the condition nests too deep");
      Expression negation;
      negation.kind = Expression::Kind::negation;
      negation.children.push_back(unary(depth + 1));
      return negation;
    }
    if (take("(")) {
      Expression inner = disjunction(depth + 1);
      expect(")", "after the condition in parentheses");
      return inner;
    }
    return comparison();
  }

  Expression comparison() {
    Expression expression;
    expression.operands.push_back(operand());
    for (std::string_view symbol : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(symbol)) continue;
      expression.kind = Expression::Kind::compare;
      expression.comparison = symbol;
      expression.operands.push_back(operand());
      check_comparable(expression.operands[0], expression.operands[1], symbol);
      return expression;
    }
    if (take_word("in")) {
      expression.kind = Expression::Kind::in;
      expect("(", "after 'in'");
      do {
        expression.operands.push_back(operand());
        check_comparable(expression.operands[0], expression.operands.back(), "==");
      } while (take(","));
      expect(")", "after the list");
      return expression;
    }
    skip_space();
    if (take("=")) {
      --position_;
      fail("expected '==', found '='");
    }
    const Operand& only = expression.operands[0];
    if (!only.is_predicate() && only.kind != Operand::Kind::attribute) {
      fail(fmt::format("expected a comparison after {}, found {}", only.text, found()));
    }
    return expression;
  }

  static void check_comparable(const Operand& left, const Operand& right, std::string_view symbol) {
    for (const Operand* operand : {&left, &right}) {
      if (operand->is_predicate()) fail_at(operand->offset, operand->text + " is true or false; it cannot be compared");
    }
    const bool is_equality = symbol == "==" || symbol == "!=";
    if ((left.is_element_type() || right.is_element_type()) && !is_equality) {
      fail_at(right.offset, "element types can only be compared with == and !=");
    }
    const bool literals = left.kind == Operand::Kind::literal && right.kind == Operand::Kind::literal;
    if (literals) fail_at(right.offset, "both sides are literals");
    for (const auto& [one, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
      if (one->is_element_type() && !other->is_element_type() && other->kind != Operand::Kind::attribute) {
        fail_at(other->offset,
                fmt::format("expected an element type such as float beside {}, found {}", one->text, other->text));
      }
      const bool is_number = one->kind == Operand::Kind::rank || one->kind == Operand::Kind::dim ||
                             one->kind == Operand::Kind::length || one->kind == Operand::Kind::opset;
      if (is_number && other->kind == Operand::Kind::literal && std::holds_alternative<std::string>(other->literal)) {
        fail_at(other->offset, fmt::format("expected a number beside {}, found {}", one->text, other->text));
      }
    }
  }

  Operand operand() {
    skip_space();
    Operand result;
    result.offset = position_;
    if (position_ >= text_.size()) fail("expected a name, a number or a string, found the end of the condition");
    const char c = text_[position_];
    if (c == '"' || c == '\'') {
      string_literal(result, c);
    } else if (is_digit(c) || c == '-' || c == '+' || c == '.') {
      number(result);
    } else if (starts_name(c)) {
      name_or_call(result);
    } else {
      fail(fmt::format("expected a name, a number or a string, found {}", found()));
    }
    result.text = text_.substr(result.offset, position_ - result.offset);
    return result;
  }

  void string_literal(Operand& result, char quote) {
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) fail(fmt::format("this string has no closing {}", quote));
    result.literal = std::string(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
  }

  void number(Operand& result) {
    std::size_t end = position_;
    bool is_float = false;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool sign = (c == '-' || c == '+') && (end == position_ || text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (c == '.' || c == 'e' || c == 'E') is_float = true;
      if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && !sign) break;
      ++end;
    }
    std::string_view digits = text_.substr(position_, end - position_);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const char* const last = digits.data() + digits.size();
    std::from_chars_result parsed{};
    if (is_float) {
      double value = 0;
      parsed = std::from_chars(digits.data(), last, value);
      result.literal = value;
    } else {
      int64_t value = 0;
      parsed = std::from_chars(digits.data(), last, value);
      result.literal = value;
    }
    if (parsed.ec != std::errc() || parsed.ptr != last) fail(fmt::format("'{}' is not a number, or too large", digits));
    position_ = end;
  }

  void name_or_call(Operand& result) {
    const std::string_view word = peek_word();
    if (word == "and" || word == "or" || word == "not" || word == "in") {
      fail(fmt::format("expected a name, a number or a string, found '{}'", word));
    }
    result.name_offset = position_;
    position_ += word.size();
    skip_space();
    if (position_ >= text_.size() || text_[position_] != '(') {
      position_ = result.name_offset + word.size();
      if (const auto type = element_type_of(word)) {
        result.literal = Operand::ElementType{*type};
      } else {
        result.kind = Operand::Kind::attribute;
        result.name = word;
      }
      return;
    }
    static constexpr std::pair<std::string_view, Operand::Kind> functions[] = {
        {"rank", Operand::Kind::rank},         {"dtype", Operand::Kind::dtype},     {"dim", Operand::Kind::dim},
        {"constant", Operand::Kind::constant}, {"present", Operand::Kind::present}, {"opset", Operand::Kind::opset},
        {"length", Operand::Kind::length},     {"attribute", Operand::Kind::given}};
    const auto* function = std::begin(functions);
    while (function != std::end(functions) && function->first != word) ++function;
    if (function == std::end(functions)) {
      fail_at(
          result.offset,
          fmt::format("there is no '{}(…)'; known are rank, dtype, dim, constant, present, attribute, length and opset",
                      word));
    }
    result.kind = function->second;
    ++position_;
    if (result.kind != Operand::Kind::opset) value_name(result, word);
    if (result.kind == Operand::Kind::dim) {
      expect(",", "and a dimension's index");
      skip_space();
      const std::size_t at = position_;
      Operand axis;
      if (position_ < text_.size() && (is_digit(text_[position_]) || text_[position_] == '-')) number(axis);
      if (position_ == at || !std::holds_alternative<int64_t>(axis.literal)) {
        fail_at(at, "expected a dimension's index, as in dim(x, 0) or dim(x, -1)");
      }
      result.axis = std::get<int64_t>(axis.literal);
    }
    expect(")", fmt::format("after '{}('", word));
  }

  void value_name(Operand& result, std::string_view function) {
    const std::string_view value = peek_word();
    if (value.empty())
      fail(fmt::format("expected the name of an {} in {}(…), found {}",
                       is_of_attribute(result.kind) ? "attribute" : "input or output", function, found()));
    result.name_offset = position_;
    result.name = value;
    position_ += value.size();
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

// The value of an operand, or why there is none.
struct Value {
  std::optional<Operand::Literal> value;
  bool is_single = false;  // came from a float attribute, so it compares as float
  std::string why;
};

Value unknown(std::string why) { return {std::nullopt, false, std::move(why)}; }

const onnx::TensorShapeProto* shape_of(const onnx::TypeProto* type) {
  if (type == nullptr) return nullptr;
  if (type->has_tensor_type() && type->tensor_type().has_shape()) return &type->tensor_type().shape();
  if (type->has_sparse_tensor_type() && type->sparse_tensor_type().has_shape())
    return &type->sparse_tensor_type().shape();
  return nullptr;
}

Value value_of_attribute(const Operand& operand, const ConditionFacts& facts) {
  const onnx::AttributeProto* attribute = facts.attribute(operand.name);
  if (attribute == nullptr) return unknown(fmt::format("attribute {} is not given", operand.name));
  switch (attribute->type()) {
    case onnx::AttributeProto::INT:
      return {attribute->i(), false, {}};
    case onnx::AttributeProto::FLOAT:
      return {static_cast<double>(attribute->f()), true, {}};
    case onnx::AttributeProto::STRING:
      return {attribute->s(), false, {}};
    default:
      return unknown(fmt::format("attribute {} is neither a number nor a string", operand.name));
  }
}

// How many elements a list has; a single value counts as a list of one, as where a form takes a list.
Value length_of_attribute(const Operand& operand, const ConditionFacts& facts) {
  const onnx::AttributeProto* attribute = facts.attribute(operand.name);
  if (attribute == nullptr) return unknown(fmt::format("attribute {} is not given", operand.name));
  switch (attribute->type()) {
    case onnx::AttributeProto::INTS:
      return {int64_t{attribute->ints_size()}, false, {}};
    case onnx::AttributeProto::FLOATS:
      return {int64_t{attribute->floats_size()}, false, {}};
    case onnx::AttributeProto::STRINGS:
      return {int64_t{attribute->strings_size()}, false, {}};
    case onnx::AttributeProto::INT:
    case onnx::AttributeProto::FLOAT:
    case onnx::AttributeProto::STRING:
      return {int64_t{1}, false, {}};
    default:
      return unknown(fmt::format("attribute {} is no list", operand.name));
  }
}

Value value_of(const Operand& operand, const ConditionFacts& facts) {
  const auto not_known = [&] { return unknown(operand.text + " is not known"); };
  switch (operand.kind) {
    case Operand::Kind::literal:
      return {operand.literal, false, {}};
    case Operand::Kind::attribute:
      return value_of_attribute(operand, facts);
    case Operand::Kind::length:
      return length_of_attribute(operand, facts);
    case Operand::Kind::opset:
      return {facts.opset(), false, {}};
    case Operand::Kind::rank: {
      const onnx::TensorShapeProto* shape = shape_of(facts.type(operand.name, Detail::shape));
      if (shape == nullptr) return not_known();
      return {static_cast<int64_t>(shape->dim_size()), false, {}};
    }
    case Operand::Kind::dtype: {
      const onnx::TypeProto* type = facts.type(operand.name, Detail::element_type);
      int element = onnx::TensorProto::UNDEFINED;
      if (type != nullptr && type->has_tensor_type()) element = type->tensor_type().elem_type();
      if (type != nullptr && type->has_sparse_tensor_type()) element = type->sparse_tensor_type().elem_type();
      if (element == onnx::TensorProto::UNDEFINED) return not_known();
      return {Operand::ElementType{element}, false, {}};
    }
    case Operand::Kind::dim: {
      const onnx::TensorShapeProto* shape = shape_of(facts.type(operand.name, Detail::dimensions));
      if (shape == nullptr) return not_known();
      const int64_t axis = operand.axis < 0 ? operand.axis + shape->dim_size() : operand.axis;
      if (axis < 0 || axis >= shape->dim_size()) {
        return unknown(
            fmt::format("{} has rank {} and no dimension {}", operand.name, shape->dim_size(), operand.axis));
      }
      const auto& dimension = shape->dim(static_cast<int>(axis));
      if (!dimension.has_dim_value()) return not_known();
      return {dimension.dim_value(), false, {}};
    }
    case Operand::Kind::given:
    case Operand::Kind::constant:
    case Operand::Kind::present:
      break;
  }
  return not_known();
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

// -1, 0 or 1 as the left one is less, equal or greater; 2 when neither (NaN); nothing when they cannot be compared.
std::optional<int> order(const Value& left, const Value& right) {
  const auto* left_text = std::get_if<std::string>(&*left.value);
  const auto* right_text = std::get_if<std::string>(&*right.value);
  if ((left_text == nullptr) != (right_text == nullptr)) return std::nullopt;
  const auto of = [](const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : a == b ? 0 : 2; };
  if (left_text != nullptr) return of(*left_text, *right_text);
  const auto as_integer = [](const Value& value) -> std::optional<int64_t> {
    if (const auto* type = std::get_if<Operand::ElementType>(&*value.value)) return type->type;
    if (const auto* integer = std::get_if<int64_t>(&*value.value)) return *integer;
    return std::nullopt;
  };
  const auto left_integer = as_integer(left);
  const auto right_integer = as_integer(right);
  if (left_integer && right_integer) return of(*left_integer, *right_integer);
  const double left_number = left_integer ? static_cast<double>(*left_integer) : std::get<double>(*left.value);
  const double right_number = right_integer ? static_cast<double>(*right_integer) : std::get<double>(*right.value);
  // 0.1 in the rule means the same 0.1 that the attribute was rounded from.
  if (left.is_single || right.is_single) return of(static_cast<float>(left_number), static_cast<float>(right_number));
  return of(left_number, right_number);
}

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

// What is asked of an expression. Its reasons are only put into words when somebody will read them: most forms that do not fit a node are followed by
// one that does.
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
  const Value value = value_of(operand, facts);
  if (!value.value) return {Truth::unknown, value.why};
  const auto* integer = std::get_if<int64_t>(&*value.value);
  if (integer == nullptr)
    return {Truth::unknown, fmt::format("{} is {}, neither true nor false", operand.text, to_text(value))};
  return as_result(*integer != 0, question.reason([&] { return fmt::format("{} is {}", operand.text, *integer); }));
}

// Puts what is asked for before what it is compared with, so that a message reads "rank(x) is 3" also for `4 == rank(x)`.
Expression with_literal_last(Expression expression) {
  if (expression.operands[0].kind != Operand::Kind::literal) return expression;
  std::swap(expression.operands[0], expression.operands[1]);
  std::string& symbol = expression.comparison;
  if (symbol[0] == '<') {
    symbol[0] = '>';
  } else if (symbol[0] == '>') {
    symbol[0] = '<';
  }
  return expression;
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
  const Value left_value = value_of(left, question.facts);
  if (!left_value.value) return {Truth::unknown, left_value.why};
  const Value right_value = value_of(right, question.facts);
  if (!right_value.value) return {Truth::unknown, right_value.why};
  const auto compared = order(left_value, right_value);
  const Truth truth = !compared ? Truth::unknown : satisfies(*compared, expression.comparison) ? Truth::yes : Truth::no;
  return {truth, question.reason([&] { return comparison_in_words(expression, left_value, right_value, compared); })};
}

ConditionResult evaluate_in(const Expression& expression, const Question& question) {
  const Operand& sought = expression.operands[0];
  const Value value = value_of(sought, question.facts);
  if (!value.value) return {Truth::unknown, value.why};
  if (expression.element_types != 0 && !question.with_reason) {
    const int type = std::get<Operand::ElementType>(*value.value).type;
    const bool is_there = type >= 0 && type < 64 && (expression.element_types >> type & 1) != 0;
    return {is_there ? Truth::yes : Truth::no, {}};
  }
  const auto is = [&] { return fmt::format("{} is {}", sought.text, to_text(value)); };
  for (std::size_t i = 1; i < expression.operands.size(); ++i) {
    const Value candidate = value_of(expression.operands[i], question.facts);
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
              list += to_text(value_of(expression.operands[i], question.facts));
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
      break;
  }
  ConditionResult result = evaluate_expression(expression.children[0], question);
  if (result.truth == Truth::yes) {
    result.truth = Truth::no;
  } else if (result.truth == Truth::no) {
    result.truth = Truth::yes;
  }
  return result;
}

// Most conditions that are asked for every node.
uint64_t listed_element_types(const Expression& in) {
  uint64_t types = 0;
  if (in.operands[0].kind != Operand::Kind::dtype) return 0;
  for (size_t i = 1; i < in.operands.size(); ++i) {
    const auto* type = std::get_if<Operand::ElementType>(&in.operands[i].literal);
    if (in.operands[i].kind != Operand::Kind::literal || type == nullptr || type->type < 0 || type->type >= 64)
      return 0;
    types |= uint64_t{1} << type->type;
  }
  return types;
}

void prepare(Expression& expression) {
  if (expression.kind == Expression::Kind::compare) expression = with_literal_last(std::move(expression));
  if (expression.kind == Expression::Kind::in) expression.element_types = listed_element_types(expression);
  for (Expression& child : expression.children) prepare(child);
}

template <typename Wanted>
void collect_names(const Expression& expression, Wanted wanted, std::vector<Condition::Name>& names) {
  for (const Operand& operand : expression.operands) {
    if (wanted(operand)) names.push_back({operand.name, operand.name_offset});
  }
  for (const Expression& child : expression.children) collect_names(child, wanted, names);
}

}  // namespace

Condition Condition::parse(std::string_view text) {
  Expression root = Parser(text).parse();
  prepare(root);
  Condition condition;
  condition.text_ = text;
  condition.root_ = std::make_shared<const Expression>(std::move(root));
  return condition;
}

ConditionResult Condition::evaluate(const ConditionFacts& facts) const {
  return evaluate_expression(*root_, {.facts = facts, .with_reason = true});
}

bool Condition::holds(const ConditionFacts& facts) const {
  return evaluate_expression(*root_, {.facts = facts, .with_reason = false}).holds();
}

namespace {

// False where the expression is of another kind.
bool collect_type_lists(const Expression& expression, bool negated, std::vector<Condition::TypeList>& lists) {
  switch (expression.kind) {
    case Expression::Kind::negation:
      return collect_type_lists(expression.children[0], !negated, lists);
    case Expression::Kind::conjunction:
      return !negated && std::ranges::all_of(expression.children, [&](const Expression& child) {
        return collect_type_lists(child, false, lists);
      });
    case Expression::Kind::in:
      if (expression.element_types == 0) return false;
      lists.push_back({expression.operands[0].name, negated ? ~expression.element_types : expression.element_types});
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
  return evaluate_expression(*root_, {.facts = facts, .with_reason = false}).truth == Truth::no;
}

std::vector<Condition::Name> Condition::attribute_names() const {
  std::vector<Name> names;
  collect_names(
      *root_,
      [](const Operand& operand) { return operand.kind == Operand::Kind::attribute || is_of_attribute(operand.kind); },
      names);
  return names;
}

std::vector<Condition::Name> Condition::value_names() const {
  std::vector<Name> names;
  collect_names(
      *root_, [](const Operand& operand) { return operand.names_value(); }, names);
  return names;
}

}  // namespace onnx_lower

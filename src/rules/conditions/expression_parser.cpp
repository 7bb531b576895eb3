// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "rules/conditions/expression.h"
#include "rules/values/element_type.h"
#include "source_text/characters.h"

namespace onnx_lower::condition {
namespace {

// A condition is a line of text: deeper nesting is an accident, or an attack on the stack.
constexpr int max_depth = 50;

// The greatest height of operands. One level of nesting in the text makes several levels of
// operands, and in a chain of `+` or `[…]` every link makes one.
constexpr int max_height = 256;

// The height of the highest operand in the expression.
int height_of(const Expression& expression) {
  int height = 0;
  for (const Operand& operand : expression.operands) height = std::max(height, operand.height);
  for (const Expression& child : expression.children) height = std::max(height, height_of(child));
  return height;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expression condition() {
    Expression whole = disjunction(0);
    skip_space();
    if (position_ < text_.size())
      fail(fmt::format("expected 'and', 'or' or the end of the condition, found {}", found()));
    prepare(whole);
    return whole;
  }

  std::vector<NamedOperand> definitions() {
    whole_ = "definition";
    std::vector<NamedOperand> all;
    do {
      NamedOperand& definition = all.emplace_back();
      definition.name = peek_word();
      definition.offset = position_;
      if (definition.name.empty()) fail(fmt::format("expected the name of what is defined, found {}", found()));
      if (element_type_of(definition.name) || is_reserved(definition.name))
        fail(fmt::format("'{}' has a meaning of its own and cannot be defined", definition.name));
      position_ += definition.name.size();
      expect("=", fmt::format("after {}", definition.name));
      definition.operand = value(0);
      if (definition.operand.is_predicate())
        fail_at(definition.operand.offset,
                fmt::format("{} is true or false; it has no value", definition.operand.text));
    } while (take(";"));
    skip_space();
    if (position_ < text_.size()) fail(fmt::format("expected ';' or the end of the definition, found {}", found()));
    return all;
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
    if (position_ >= text_.size()) return fmt::format("the end of the {}", whole_);
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
    if (depth > max_depth) fail(fmt::format("the {} nests too deep", whole_));
    Expression first = part();
    if (peek_word() != word) return first;
    Expression all;
    all.kind = kind;
    all.children.push_back(std::move(first));
    while (take_word(word)) all.children.push_back(part());
    return all;
  }

  static bool is_reserved(std::string_view word) {
    return word == "and" || word == "or" || word == "not" || word == "surely" || word == "in" || word == "if" ||
           word == "else";
  }

  // Whether the parenthesis at this position encloses a value and not a condition, which the text
  // behind it tells.
  bool at_value_in_parentheses() {
    skip_space();
    int open = 0;
    for (std::size_t at = position_; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"' || c == '\'') {
        at = text_.find(c, at + 1);
        if (at == std::string_view::npos) return false;
      } else if (c == '(') {
        ++open;
      } else if (c == ')' && --open == 0) {
        const std::size_t next = std::min(text_.find_first_not_of(" \t\n", at + 1), text_.size());
        const std::string_view rest = text_.substr(next);
        const bool is_in = rest.starts_with("in") && (rest.size() == 2 || !continues_name(rest[2]));
        return is_in || rest.find_first_of("=!<>+-*/%[") == 0;
      }
    }
    return false;
  }

  Expression unary(int depth) {
    if (depth > max_depth) fail(fmt::format("the {} nests too deep", whole_));
    for (const auto& [word, kind] :
         {std::pair("not", Expression::Kind::negation), std::pair("surely", Expression::Kind::certainty)}) {
      if (!take_word(word)) continue;
      Expression expression;
      expression.kind = kind;
      expression.children.push_back(unary(depth + 1));
      return expression;
    }
    if (position_ < text_.size() && text_[position_] == '(' && !at_value_in_parentheses()) {
      ++position_;
      Expression inner = disjunction(depth + 1);
      expect(")", "after the condition in parentheses");
      return inner;
    }
    return comparison(depth);
  }

  Expression comparison(int depth) {
    Expression expression;
    expression.operands.push_back(sum(depth));
    for (std::string_view symbol : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(symbol)) continue;
      expression.kind = Expression::Kind::compare;
      expression.comparison = symbol;
      expression.operands.push_back(sum(depth));
      check_comparable(expression.operands[0], expression.operands[1], symbol);
      return expression;
    }
    if (take_word("in")) {
      expression.kind = Expression::Kind::in;
      expect("(", "after 'in'");
      do {
        expression.operands.push_back(sum(depth));
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
      if (operand->is_predicate())
        fail_at(operand->offset, fmt::format("{} is true or false; it cannot be compared", operand->text));
    }
    const bool is_equality = symbol == "==" || symbol == "!=";
    if ((left.is_element_type() || right.is_element_type()) && !is_equality) {
      fail_at(right.offset, "element types can only be compared with == and !=");
    }
    const bool literals = left.kind == Operand::Kind::literal && right.kind == Operand::Kind::literal;
    if (literals) fail_at(right.offset, "both sides are literals");
    for (const auto& [one, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
      if (one->is_element_type() && (other->is_number() || other->kind == Operand::Kind::literal) &&
          !other->is_element_type()) {
        fail_at(other->offset,
                fmt::format("expected an element type such as float beside {}, found {}", one->text, other->text));
      }
      if (one->is_number() && other->kind == Operand::Kind::literal &&
          std::holds_alternative<std::string>(other->literal)) {
        fail_at(other->offset, fmt::format("expected a number beside {}, found {}", one->text, other->text));
      }
    }
  }

  // Parses a value where definitions and parentheses have one, which may be a choice of two.
  Operand value(int depth) {
    Operand first = sum(depth);
    if (!take_word("if")) return first;
    Operand choice = of_kind(Operand::Kind::choice, first.offset);
    choice.condition.push_back(disjunction(depth + 1));
    prepare(choice.condition.back());
    choice.height = height_of(choice.condition.back());
    if (!take_word("else")) fail(fmt::format("expected 'else' after the condition, found {}", found()));
    Operand other = value(depth + 1);
    return of_parts(std::move(choice), std::move(first), std::move(other));
  }

  using Symbol = std::pair<std::string_view, Operand::Kind>;

  Operand sum(int depth) {
    static constexpr Symbol symbols[] = {{"+", Operand::Kind::sum}, {"-", Operand::Kind::difference}};
    return reckoning(symbols, [&] { return product(depth); });
  }

  Operand product(int depth) {
    static constexpr Symbol symbols[] = {{"*", Operand::Kind::product},
                                         {"//", Operand::Kind::floor_quotient},
                                         {"/", Operand::Kind::quotient},
                                         {"%", Operand::Kind::remainder}};
    return reckoning(symbols, [&] { return factor(depth); });
  }

  // Parses operands with operator symbols between them, which associate to the left.
  template <typename Part>
  Operand reckoning(std::span<const Symbol> symbols, Part part) {
    Operand left = part();
    while (true) {
      const auto symbol = std::ranges::find_if(symbols, [&](const Symbol& one) { return take(one.first); });
      if (symbol == symbols.end()) return left;
      const std::size_t begin = left.offset;
      left = of_parts(of_kind(symbol->second, begin), std::move(left), part());
    }
  }

  Operand factor(int depth) {
    if (depth > max_depth) fail(fmt::format("the {} nests too deep", whole_));
    skip_space();
    const std::size_t begin = position_;
    const char next = position_ + 1 < text_.size() ? text_[position_ + 1] : ' ';
    if (position_ < text_.size() && text_[position_] == '-' && !is_digit(next) && next != '.') {
      ++position_;
      return of_parts(of_kind(Operand::Kind::negative, begin), factor(depth + 1));
    }
    Operand result = operand(depth);
    while (take("[")) {
      Operand index = value(depth + 1);
      expect("]", "after the index");
      result = of_parts(of_kind(Operand::Kind::element, begin), std::move(result), std::move(index));
    }
    return result;
  }

  static Operand of_kind(Operand::Kind kind, std::size_t offset) {
    Operand result;
    result.kind = kind;
    result.offset = offset;
    return result;
  }

  template <typename... Parts>
  Operand of_parts(Operand whole, Parts&&... parts) {
    for (const Operand* part : {&parts...}) {
      if (part->is_predicate())
        fail_at(part->offset, fmt::format("{} is true or false; it cannot be reckoned with", part->text));
      whole.height = std::max(whole.height, part->height + 1);
    }
    if (whole.height > max_height) fail(fmt::format("the {} nests too deep", whole_));
    (whole.parts.push_back(std::forward<Parts>(parts)), ...);
    whole.text = text_since(whole.offset);
    return whole;
  }

  // The text as it is written, without trailing blanks.
  std::string_view text_since(std::size_t begin) const {
    const std::string_view text = text_.substr(begin, position_ - begin);
    return text.substr(0, text.find_last_not_of(" \t\n") + 1);
  }

  Operand operand(int depth) {
    skip_space();
    Operand result;
    result.offset = position_;
    if (position_ >= text_.size()) fail(fmt::format("expected a name, a number or a string, found {}", found()));
    const char c = text_[position_];
    if (c == '"' || c == '\'') {
      string_literal(result, c);
    } else if (is_digit(c) || c == '-' || c == '+' || c == '.') {
      number(result);
    } else if (starts_name(c)) {
      name_or_call(result, depth);
    } else if (take("[")) {
      result.kind = Operand::Kind::list;
      if (!take("]")) arguments(result, "]", "after the list", depth);
    } else if (take("(")) {
      const std::size_t begin = result.offset;
      result = value(depth + 1);
      result.offset = begin;
      expect(")", "after the value in parentheses");
    } else {
      fail(fmt::format("expected a name, a number or a string, found {}", found()));
    }
    result.text = text_since(result.offset);
    return result;
  }

  void arguments(Operand& whole, std::string_view end, std::string_view place, int depth) {
    do {
      whole = of_parts(std::move(whole), value(depth + 1));
    } while (take(","));
    expect(end, place);
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

  static constexpr std::pair<std::string_view, Operand::Kind> functions[] = {
      {"rank", Operand::Kind::rank},
      {"dtype", Operand::Kind::dtype},
      {"dim", Operand::Kind::dim},
      {"constant", Operand::Kind::constant},
      {"present", Operand::Kind::present},
      {"made_by", Operand::Kind::made_by},
      {"behind", Operand::Kind::behind},
      {"read_by", Operand::Kind::read_by},
      {"holds", Operand::Kind::holds},
      {"iteration", Operand::Kind::iteration},
      {"accumulated", Operand::Kind::accumulated},
      {"opset", Operand::Kind::opset},
      {"version", Operand::Kind::version},
      {"length", Operand::Kind::length},
      {"attribute", Operand::Kind::given},
      {"model_output", Operand::Kind::model_output},
      {"nonnegative", Operand::Kind::nonnegative},
      {"positive", Operand::Kind::positive},
      {"zero", Operand::Kind::zero},
      {"known", Operand::Kind::known},
      {"stretched", Operand::Kind::stretched},
      {"static", Operand::Kind::fixed},
      {"ranked", Operand::Kind::ranked},
      {"range", Operand::Kind::range},
      {"min", Operand::Kind::minimum},
      {"max", Operand::Kind::maximum}};

  void name_or_call(Operand& result, int depth) {
    const std::string_view word = peek_word();
    if (is_reserved(word)) fail(fmt::format("expected a name, a number or a string, found '{}'", word));
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
    const auto* function = std::ranges::find(functions, word, [](const auto& one) { return one.first; });
    if (function == std::end(functions)) {
      fail_at(result.offset,
              fmt::format("there is no '{}(…)'; known are rank, dtype, dim, constant, present, attribute, length, "
                          "range, min, max, nonnegative, positive, zero, known, stretched, static, ranked, made_by, "
                          "behind, read_by, holds, iteration, accumulated, model_output, opset and version",
                          word));
    }
    result.kind = function->second;
    ++position_;
    if (result.names_value() || result.names_attribute()) value_name(result, word);
    rest_of_call(result, word, depth);
    const std::string place = fmt::format("after '{}('", word);
    if (result.names_value() || result.names_attribute() || result.is_predicate() ||
        result.kind == Operand::Kind::opset || result.kind == Operand::Kind::version) {
      expect(")", place);
      return;
    }
    arguments(result, ")", place, depth);
    const std::size_t most = result.kind == Operand::Kind::length ? 1 : result.kind == Operand::Kind::range ? 2 : 64;
    if (result.parts.size() > most) fail_at(result.offset, fmt::format("{}(…) takes {} of these", word, most));
  }

  // Parses what follows the first name in the parentheses of a call: the index of a dimension,
  // operators, or the type of an output.
  void rest_of_call(Operand& result, std::string_view word, int depth) {
    if (result.kind == Operand::Kind::dim) {
      expect(",", "and a dimension's index");
      skip_space();
      const std::size_t at = position_;
      result = of_parts(std::move(result), value(depth + 1));
      const Operand& axis = result.parts[0];
      if (axis.kind == Operand::Kind::literal && !std::holds_alternative<int64_t>(axis.literal))
        fail_at(at, "expected a dimension's index, as in dim(x, 0) or dim(x, -1)");
    }
    const bool needs_operator = result.kind == Operand::Kind::made_by || result.kind == Operand::Kind::behind;
    if (needs_operator) expect(",", "and an operator");
    if (needs_operator || result.kind == Operand::Kind::holds || (result.kind == Operand::Kind::read_by && take(","))) {
      do {
        skip_space();
        const std::string_view op_type = peek_word();
        if (op_type.empty()) fail(fmt::format("expected an operator, as in {}(x, Gather), found {}", word, found()));
        result.names.emplace_back(op_type);
        position_ += op_type.size();
      } while (take(","));
    }
    if (result.kind == Operand::Kind::model_output) {
      const std::string_view type = peek_word();
      if (const auto known = element_type_of(type)) {
        result.literal = Operand::ElementType{*known};
        position_ += type.size();
      } else {
        value_name(result, word);
      }
    }
  }

  void value_name(Operand& result, std::string_view function) {
    const std::string_view value = peek_word();
    if (value.empty())
      fail(fmt::format("expected the name of an {} in {}(…), found {}",
                       result.names_attribute() ? "attribute" : "input or output", function, found()));
    result.name_offset = position_;
    result.name = value;
    position_ += value.size();
  }

  // Swaps the operands if only the first is a literal, so that a message reads "rank(x) is 3" for
  // `4 == rank(x)`, too.
  static Expression with_literal_last(Expression expression) {
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

  // A bit for each of the element types in the list in which a dtype is looked for;
  // 0 for other lists.
  static uint64_t listed_element_types(const Expression& in) {
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

  static void prepare(Expression& expression) {
    if (expression.kind == Expression::Kind::compare) expression = with_literal_last(std::move(expression));
    // dtype(x) == float becomes dtype(x) in (float), which is evaluated faster.
    if (expression.kind == Expression::Kind::compare && expression.comparison == "==" &&
        listed_element_types(expression) != 0)
      expression.kind = Expression::Kind::in;
    if (expression.kind == Expression::Kind::in) expression.element_types = listed_element_types(expression);
    for (Expression& child : expression.children) prepare(child);
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::string_view whole_ = "condition";  // what the text is, for messages
};

}  // namespace

Expression parse_condition(std::string_view text) { return Parser(text).condition(); }

std::vector<NamedOperand> parse_definitions(std::string_view text) { return Parser(text).definitions(); }

}  // namespace onnx_lower::condition

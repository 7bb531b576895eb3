// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/syntax_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "onnx/defs/parser.h"
#include "rules/text/constant_like.h"
#include "source_text/source_tokens.h"

namespace onnx_lower {
namespace {

using Kind = SourceToken::Kind;

// How much of the text is read: a node is shorter than this up to a mistake of these kinds.
constexpr std::size_t most_bytes = 4000;

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> infix_operators = {
    {{"+", "Add"}, {"-", "Sub"}, {"*", "Mul"}, {"/", "Div"}, {"%", "Mod"}, {"<", "Less"}, {">", "Greater"}}};

// Reads a node by its grammar, outputs = domain.Operator <attribute = value> (operands), and stops
// at the first token that does not fit.
class AdvisedReader {
 public:
  AdvisedReader(std::string_view text, std::size_t begin, const std::vector<DeclaredAttribute>& declared)
      : begin_(begin), declared_(declared) {
    for (const SourceToken& token : source_tokens(text.substr(begin, most_bytes))) {
      if (token.kind != Kind::comment) tokens_.push_back(token);
    }
  }

  std::optional<SyntaxAdvice> read() {
    if (!outputs() || !operator_name() || (is("<") && !attributes())) return std::move(advice_);
    if (is("(")) operands();
    return std::move(advice_);
  }

 private:
  bool has(std::size_t ahead) const { return at_ + ahead < tokens_.size(); }
  bool is(std::string_view symbol, std::size_t ahead = 0) const {
    return has(ahead) && tokens_[at_ + ahead].is(symbol);
  }
  bool is(Kind kind, std::size_t ahead = 0) const { return has(ahead) && tokens_[at_ + ahead].kind == kind; }
  std::string_view word(std::size_t ahead = 0) const {
    return has(ahead) ? tokens_[at_ + ahead].text : std::string_view();
  }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    ++at_;
    return true;
  }

  // Stops with advice on the token that is `ahead` tokens further. Always returns false.
  bool advise(std::string message, std::size_t ahead = 0) {
    const std::size_t token = std::min(at_ + ahead, tokens_.size() - 1);
    advice_ = SyntaxAdvice{begin_ + tokens_[token].offset, std::move(message)};
    return false;
  }

  bool advise_on_number(std::size_t ahead = 0) {
    const std::size_t digits = ahead + (is("-", ahead) ? 1 : 0);
    const std::string number = fmt::format("{}{}", digits > ahead ? "-" : "", word(digits));
    const bool is_float = number.find_first_of(".eE") != std::string::npos;
    return advise(fmt::format("an operand is the name of a value, and numbers need a Constant: "
                              "c = Constant <value_{} = {}> ()",
                              is_float ? "float" : "int", number),
                  ahead);
  }

  // Gives advice on the infix operator behind `left`.
  bool advise_on_infix(std::string_view left) {
    const auto found =
        std::ranges::find(infix_operators, word(), &std::pair<std::string_view, std::string_view>::first);
    if (found == infix_operators.end()) return true;
    const bool has_right = is(Kind::name, 1);
    return advise(
        fmt::format("there are no infix operators: write {} ({}, {})", found->second, left, has_right ? word(1) : "…"));
  }

  bool outputs() {
    for (const std::string_view of_python : {"return", "def", "if", "for", "while"}) {
      if (word() == of_python && is(Kind::name, 1)) {
        return advise(
            fmt::format("'{}' has no meaning here: a node is y = Operator (x), and the signature names what "
                        "the form returns",
                        of_python));
      }
    }
    if (is(";")) return advise("nodes end without a semicolon");
    while (is(Kind::name) || is(Kind::string) || is(",")) ++at_;
    if (is(":") && is("=", 1)) return advise("write = between the outputs and the operator");
    if (!take("=")) return false;
    if (is("=")) return advise("write = once between the outputs and the operator");
    return true;
  }

  bool operator_name() {
    if (is(Kind::number) || (is("-") && is(Kind::number, 1))) return advise_on_number();
    if (is("-") && is(Kind::name, 1))
      return advise(fmt::format("there are no prefix operators: write Neg ({})", word(1)));
    if (is("(")) {
      ++at_;
      const std::string_view left = word();
      ++at_;
      return advise_on_infix(left) && false;
    }
    if (!is(Kind::name)) return false;
    const std::size_t first = at_;
    std::string name(word());
    ++at_;
    while (is(".") && is(Kind::name, 1)) {
      name += fmt::format(".{}", word(1));
      at_ += 2;
    }
    if (is(":") && is(":", 1) && is(Kind::name, 2)) {
      const bool is_standard = name == "ai.onnx";
      const std::string written = is_standard ? std::string(word(2)) : fmt::format("{}.{}", name, word(2));
      at_ = first;
      return advise(fmt::format("write {}: {}", written,
                                is_standard ? "the operators of ai.onnx stand without a domain"
                                            : "a dot stands between domain and operator"));
    }
    if (is("-") && is(Kind::name, 1) && is(".", 2))
      return advise("a hyphen cannot stand in the domain of a node: give the operator a rule under another domain");
    const bool is_comparison = is("<") && !(is(Kind::name, 1) && (is("=", 2) || is(":", 2))) && !is(">", 1);
    if (is("(") || (is("<") && !is_comparison)) return true;
    if (!advise_on_infix(name)) return false;
    const bool node_ends = !has(0) || is("}") || (is(Kind::name) && (is("=", 1) || is(",", 1)));
    if (!node_ends) return false;
    at_ = first;
    return advise(
        fmt::format("a node is an operator and its operands in parentheses; another name for a value is "
                    "y = Identity ({})",
                    name));
  }

  bool attributes() {
    ++at_;
    while (is(Kind::name)) {
      const std::string_view attribute = word();
      ++at_;
      if (take(":")) {
        if (is(Kind::name) && find(word()) != nullptr && (is(">", 1) || is(",", 1)))
          return advise(fmt::format("write {} = @{} for an attribute", attribute, word()));
        ++at_;
      }
      if (!take("=") || !value()) return false;
      if (!take(",")) break;
    }
    return take(">");
  }

  bool value() {
    if (is("'")) return advise("strings stand in double quotes");
    const bool negative = is("-") && is("@", 1);
    if (negative || is("@")) {
      const std::size_t behind = negative ? 3 : 2;
      const bool computes =
          has(behind) &&
          std::ranges::find(infix_operators.begin(), infix_operators.end() - 1, word(behind),
                            &std::pair<std::string_view, std::string_view>::first) != infix_operators.end() - 1;
      if (negative || computes) {
        return advise(fmt::format(
            "the value of an attribute is not computed: write @{}, or make a Constant of it and compute with nodes",
            word(behind - 1)));
      }
      at_ += 2;
      return true;
    }
    if (is(Kind::name) && (is(">", 1) || is(",", 1))) {
      const std::string_view name = word();
      if (find(name) != nullptr) return advise(fmt::format("write @{} for an attribute", name));
      if (name == "true" || name == "True") return advise("there are no booleans: write 1");
      if (name == "false" || name == "False") return advise("there are no booleans: write 0");
      if (!is_number_word(name) && !onnx::PrimitiveTypeNameMap::IsTypeName(std::string(name)))
        return advise(
            fmt::format("'{}' is no value: write @ and a name for an attribute of the form, or a number, a "
                        "string in double quotes, a list",
                        name));
    }
    // Skips numbers, strings, lists, tensors and graphs up to the end of the value.
    for (int depth = 0; has(0); ++at_) {
      if (depth == 0 && (is(",") || is(">"))) return true;
      if (is("(") || is("[") || is("{") || is("<")) ++depth;
      if (is(")") || is("]") || is("}") || is(">")) --depth;
    }
    return false;
  }

  bool operands() {
    ++at_;
    while (has(0) && !is(")")) {
      if (!operand()) return false;
      if (!take(",")) break;
    }
    return true;
  }

  bool operand() {
    if (is(Kind::number) || (is("-") && is(Kind::number, 1))) return advise_on_number();
    if (is("[") || is("{"))
      return advise("an operand is the name of a value, and lists need a Constant: c = Constant <value_ints = [1]> ()");
    if (is("-") && is(Kind::name, 1))
      return advise(fmt::format("there are no prefix operators: write t = Neg ({}), and use t here", word(1)));
    if (is("@")) {
      const DeclaredAttribute* attribute = find(word(1));
      return advise(fmt::format(
          "an operand is the name of a value: make one of the attribute, c = Constant <{} = @{}> ()",
          constant_attribute(attribute == nullptr ? onnx::AttributeProto::UNDEFINED : attribute->type), word(1)));
    }
    if (is(",") || is(")")) return true;
    if (is(Kind::string)) {
      ++at_;
      return true;
    }
    if (!is(Kind::name)) return false;
    std::string name(word());
    const std::size_t first = at_;
    ++at_;
    while (is(".") && is(Kind::name, 1)) {
      name += fmt::format(".{}", word(1));
      at_ += 2;
    }
    if (is("(") || (is("<") && is(Kind::name, 1) && (is("=", 2) || is(":", 2)))) {
      at_ = first;
      return advise(
          fmt::format("a call cannot stand in a call: write t = {} (…) before this node, and use t here", name));
    }
    if (is("=")) {
      at_ = first;
      return advise(fmt::format("attributes stand in angle brackets before the operands: <{} = …> (…)", name));
    }
    return advise_on_infix(name);
  }

  const DeclaredAttribute* find(std::string_view name) const {
    const auto found = std::ranges::find(declared_, name, &DeclaredAttribute::name);
    return found == declared_.end() ? nullptr : &*found;
  }

  std::size_t begin_;
  const std::vector<DeclaredAttribute>& declared_;
  std::vector<SourceToken> tokens_;
  std::size_t at_ = 0;
  std::optional<SyntaxAdvice> advice_;
};

}  // namespace

std::optional<SyntaxAdvice> advice_on_node(std::string_view text, std::size_t begin,
                                           const std::vector<DeclaredAttribute>& declared) {
  return AdvisedReader(text, begin, declared).read();
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/rule_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <unordered_set>
#include <utility>

#include "domain.h"
#include "error.h"
#include "onnx/defs/parser.h"
#include "rules/text/choice.h"
#include "rules/text/constant_like.h"
#include "rules/text/operator_names.h"
#include "rules/text/syntax_advice.h"
#include "source_text/characters.h"
#include "source_text/source_position.h"
#include "source_text/source_tokens.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;
using KeyWord = onnx::KeyWordMap::KeyWord;

// onnx's parser recurses for every nested graph. This limit is far below what the stack can take,
// and far above what a rule needs.
constexpr int max_depth = 100;

struct SyntaxError {
  std::size_t offset;
  std::string message;
};

void check_brackets(const std::vector<SourceToken>& tokens) {
  int depth = 0;
  for (const SourceToken& token : tokens) {
    if (token.kind == SourceToken::Kind::string && !token.complete) {
      throw SyntaxError{token.offset, "this string has no closing quote"};
    }
    if (token.is("{") || token.is("(") || token.is("[") || token.is("<")) ++depth;
    if (token.is("}") || token.is(")") || token.is("]") || token.is(">")) --depth;
    if (depth > max_depth)
      throw SyntaxError{token.offset, fmt::format("brackets nest more than {} deep here", max_depth)};
  }
}

struct ParsedFunction {
  onnx::FunctionProto function;
  std::vector<DeclaredAttribute> declared;
  Form entries;  // has only the condition and the definitions
  FormPositions positions;
};

// Calls onnx's parser for the parts of a function. The parser's own method for functions ignores
// errors in the declared attributes, does not know conditions, and gives no positions.
class RuleParser : public onnx::OnnxParser {
 public:
  explicit RuleParser(std::string_view text) : OnnxParser(text) {}

  // Each member that parses a part throws SyntaxError. onnx's parser itself throws only what
  // std::stoll and its kin throw.
  bool at_end() { return EndOfInput(); }
  std::size_t position() const { return pos_; }

  bool at_model() {
    const std::size_t begin = pos_;
    bool found = false;
    if (Matches('<')) {
      const KeyWord word = onnx::KeyWordMap::Lookup(ParseOptionalIdentifier());
      found = word == KeyWord::IR_VERSION || word == KeyWord::PRODUCER_NAME || word == KeyWord::PRODUCER_VERSION ||
              word == KeyWord::MODEL_VERSION || word == KeyWord::METADATA_PROPS;
    }
    pos_ = begin;
    return found;
  }

  void skip_model_graph() {
    expect('<', "before the model's header");
    do {
      KeyWord word = keyword("in the model's header");
      switch (word) {
        case KeyWord::IR_VERSION:
        case KeyWord::MODEL_VERSION:
          integer();
          break;
        case KeyWord::OPSET_IMPORT:
          opset_import(ignored_function_);
          break;
        case KeyWord::PRODUCER_NAME:
        case KeyWord::PRODUCER_VERSION:
        case KeyWord::DOMAIN_KW:
        case KeyWord::DOC_STRING:
          string("as value");
          break;
        case KeyWord::METADATA_PROPS: {
          expect('[', "after metadata_props:");
          if (Matches(']')) break;
          onnx::StringStringList properties;
          run([&] { return Parse(properties); });
          expect(']', "after the metadata");
          break;
        }
        default:
          fail("expected ir_version, opset_import or another key of a model's header");
      }
    } while (Matches(','));
    expect('>', "after the model's header");
    onnx::GraphProto graph;
    run([&] { return Parse(graph); });
  }

  ParsedFunction function() {
    ParsedFunction result;
    SkipWhiteSpace();
    result.positions.begin = pos_;
    if (NextChar() == '[') entries(result);
    if (NextChar() == '<') header(result.function);
    SkipWhiteSpace();
    result.positions.name = pos_;
    if (NextChar() == '/' && input_.substr(pos_, 2) == "//") fail_at(pos_, "comments begin with #");
    result.function.set_name(name("the function's name"));
    const int behind_name = NextChar();
    if (result.function.name() == "def" && behind_name != '(' && behind_name != '<')
      fail_at(result.positions.name, "a form begins with its name: leave out 'def'");
    if (behind_name == '-') {
      fail_at(result.positions.name, "a hyphen stands in a name only where the name is in double quotes");
    }
    if (Matches('<')) attributes(result);
    formal_values("input", *result.function.mutable_input(), *result.function.mutable_value_info(),
                  result.positions.inputs);
    if (NextChar() == '-' && input_.substr(pos_, 2) == "->")
      fail_at(pos_, "write => between the inputs and the outputs");
    if (NextChar() != '=' || input_.substr(pos_, 2) != "=>") fail("expected '=>' after the inputs");
    pos_ += 2;
    formal_values("output", *result.function.mutable_output(), *result.function.mutable_value_info(),
                  result.positions.outputs);
    if (Matches('<')) value_types(*result.function.mutable_value_info());
    body(result);
    result.positions.end = pos_;
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& message) {
    SkipWhiteSpace();
    fail_at(pos_, fmt::format("{}, found {}", message, found(pos_)));
  }
  [[noreturn]] static void fail_at(std::size_t offset, std::string message) {
    throw SyntaxError{offset, std::move(message)};
  }

  std::string found(std::size_t at) const {
    const std::vector<SourceToken> tokens = source_tokens(input_.substr(at, 60));
    if (tokens.empty()) return "the end of the file";
    if (tokens[0].kind == SourceToken::Kind::string) return std::string(tokens[0].text);
    return fmt::format("'{}'", tokens[0].text);
  }

  void expect(char symbol, std::string_view place) {
    if (!Matches(symbol)) fail(fmt::format("expected '{}' {}", symbol, place));
  }

  // Runs a part of onnx's parser, and translates its error messages.
  template <typename Piece>
  void run(Piece piece) {
    onnx::Common::Status status;
    try {
      status = piece();
    } catch (const std::exception&) {
      fail_at(start_of_last_token(), "this number is too large");
    }
    if (!status.IsOK()) fail_with(status);
  }

  [[noreturn]] void fail_with(const onnx::Common::Status& status) {
    const std::string& text = status.ErrorMessage();
    const std::size_t last_line = text.rfind('\n', text.size() - 2);
    std::string message = last_line == std::string::npos ? text : text.substr(last_line + 1);
    const auto says = [&](std::string_view words) { return message.find(words) != std::string::npos; };
    if (says("Expected character ")) {
      const std::size_t at = message.find("character ") + 10;
      fail(fmt::format("expected '{}'", message.substr(at, 1)));
    }
    if (says("Identifier expected")) fail("expected a name");
    if (says("Integer value expected")) fail_before("expected an integer");
    if (says("String value expected")) fail_before("expected a string in double quotes");
    if (says("Unexpected literal type")) fail_before("expected a number");
    if (says("Internal error") || says("invalid float literal"))
      fail("expected a value: a number, a string, a list, a tensor or a graph");
    if (says("Unexpected attribute type"))
      fail_before("expected an attribute's type, such as float, int, string, ints or tensor");
    if (says("Mismatch between expected type")) {
      fail_at(start_of_last_token(), "this value is not of the type that the attribute is declared with");
    }
    if (says("Empty list")) fail("an empty list needs a declared type, as in axes: ints = []");
    if (says("Singleton")) fail("an empty list cannot be the value of an attribute that is no list");
    if (says("expected a tensor type")) fail_before("expected a tensor's type, such as float[3]");
    if (says("expected a tensor shape")) fail_before("expected the tensor's shape in brackets");
    if (says("numeric dimension")) fail_before("expected a tensor's dimensions as numbers");
    if (says("Mismatch between data type and value"))
      fail_at(start_of_last_token(), "this value does not fit the tensor's element type");
    if (says("Unexpected type")) fail_before("expected a type, such as float[N]");
    while (!message.empty() && (message.back() == '\n' || message.back() == '.')) message.pop_back();
    fail_at(pos_, message);
  }

  // For errors that onnx's parser notices only after it has read the wrong word.
  [[noreturn]] void fail_before(const std::string& message) {
    const std::size_t at = NextChar() == 0 ? pos_ : start_of_last_token();
    fail_at(at, fmt::format("{}, found {}", message, found(at)));
  }

  // The offset of the token that the parser has just read or, if it has read none, of the one
  // before which it stopped.
  std::size_t start_of_last_token() const {
    std::size_t start = pos_;
    for (const SourceToken& token : source_tokens(input_.substr(0, pos_))) {
      if (token.kind != SourceToken::Kind::comment) start = token.offset;
    }
    const bool read_a_word = start < pos_ && (onnx::IsAlnum(static_cast<unsigned char>(input_[start])) ||
                                              input_[start] == '"' || input_[start] == '_');
    return read_a_word ? start : pos_;
  }

  std::string name(const std::string& what) {
    std::string result;
    SkipWhiteSpace();
    const std::size_t begin = pos_;
    if (NextChar() == '"') {
      run([&] { return ParserBase::Parse(result); });
    } else {
      result = ParseOptionalIdentifier();
    }
    if (result.empty()) {
      pos_ = begin;
      fail("expected " + what);
    }
    return result;
  }

  std::string string(const std::string& place) {
    if (NextChar() != '"') fail(fmt::format("expected a string in double quotes {}", place));
    std::string result;
    run([&] { return ParserBase::Parse(result); });
    return result;
  }

  int64_t integer() {
    int64_t result = 0;
    const int next = NextChar();
    if (!onnx::IsDigit(next) && next != '-') fail("expected an integer");
    run([&] { return ParserBase::Parse(result); });
    return result;
  }

  KeyWord keyword(const std::string& place) {
    SkipWhiteSpace();
    const std::size_t begin = pos_;
    const std::string word = ParseOptionalIdentifier();
    const KeyWord result = onnx::KeyWordMap::Lookup(word);
    if (word.empty() || result == KeyWord::NONE) {
      pos_ = begin;
      fail("expected domain, opset_import or another key " + place);
    }
    expect(':', fmt::format("after {}", word));
    return result;
  }

  // Parses the block of conditions: ["let": "axes = range(axis, rank(x))",
  // "where": "rank(x) == 4"].
  void entries(ParsedFunction& result) {
    expect('[', "before the conditions");
    do {
      SkipWhiteSpace();
      const std::size_t key_begin = pos_;
      const std::string key = string("as key, as in [\"where\": \"…\"]");
      const bool is_condition = key == "where";
      if (!is_condition && key != "let")
        fail_at(key_begin, fmt::format("expected \"where\" or \"let\", found \"{}\"", key));
      if (is_condition && result.entries.where) fail_at(key_begin, "a form has one condition; join the two with 'and'");
      expect(':', fmt::format("after \"{}\"", key));
      SkipWhiteSpace();
      const std::size_t quote = pos_;
      const std::string text = string(is_condition ? "that holds the condition" : "that holds the definitions");
      try {
        if (is_condition) {
          set_condition(result.entries, text);
          result.positions.where = quote;
        } else {
          add_definitions(result.entries, text);
        }
      } catch (const ConditionError& error) {
        fail_at(offset_in_condition(input_, quote, error.offset()), error.what());
      }
      result.positions.definitions.resize(result.entries.definitions.size(), quote);
      auto* property = result.function.add_metadata_props();
      property->set_key(key);
      property->set_value(text);
    } while (Matches(','));
    expect(']', "after the condition");
  }

  void header(onnx::FunctionProto& function) {
    expect('<', "before the function's header");
    do {
      SkipWhiteSpace();
      const std::size_t begin = pos_;
      switch (keyword("of the function's header")) {
        case KeyWord::OPSET_IMPORT:
          opset_import(function);
          break;
        case KeyWord::DOC_STRING:
          function.set_doc_string(string("after doc_string:"));
          break;
        case KeyWord::DOMAIN_KW:
          function.set_domain(string("after domain:"));
          break;
        case KeyWord::OVERLOAD_KW:
          function.set_overload(string("after overload:"));
          break;
        default:
          pos_ = begin;
          fail("expected domain, opset_import, overload or doc_string in the function's header");
      }
    } while (Matches(','));
    expect('>', "after the function's header");
  }

  void opset_import(onnx::FunctionProto& function) {
    expect('[', "after opset_import:");
    if (Matches(']')) return;
    do {
      const std::string domain = string("with a domain, as in [\"\" : 18]");
      expect(':', "between a domain and its version");
      auto* import = function.add_opset_import();
      import->set_domain(domain);
      import->set_version(integer());
    } while (Matches(','));
    expect(']', "after the opset imports");
  }

  void attributes(ParsedFunction& result) {
    std::unordered_set<std::string> names;
    do {
      SkipWhiteSpace();
      const std::size_t begin = pos_;
      DeclaredAttribute declared;
      declared.name = name("an attribute's name");
      if (!names.insert(declared.name).second)
        fail_at(begin, fmt::format("attribute {} is declared twice", declared.name));
      result.positions.attributes.push_back({declared.name, begin});
      const std::size_t after_name = pos_;
      if (Matches(':')) declared.type = attribute_type();
      if (NextChar() == '=') {
        // onnx's parser reads type and value again, as it knows all notations for a value.
        pos_ = after_name;
        AttributeProto attribute;
        std::string attribute_name = declared.name;
        run([&] { return Parse(attribute, attribute_name); });
        if (attribute.has_ref_attr_name()) fail_at(after_name, "a default cannot refer to another attribute");
        if (attribute.type() == AttributeProto::UNDEFINED) fail_at(after_name, "this default cannot be read");
        if (declared.type != AttributeProto::UNDEFINED && declared.type != attribute.type()) {
          fail_at(after_name, fmt::format("{} is declared {}, and its default is {}", declared.name,
                                          attribute_type_name(declared.type), attribute_type_name(attribute.type())));
        }
        declared.type = attribute.type();
        declared.default_index = result.function.attribute_proto_size();
        *result.function.add_attribute_proto() = std::move(attribute);
      }
      result.declared.push_back(std::move(declared));
    } while (Matches(','));
    if (onnx::AttributeTypeNameMap::Lookup(result.declared.back().name) != 0 && onnx::IsAlpha(NextChar())) {
      fail_at(result.positions.attributes.back().offset, fmt::format("the type stands behind the name: write {}: {}",
                                                                     PeekIdentifier(), result.declared.back().name));
    }
    expect('>', "or ',' after an attribute");
  }

  AttributeProto::AttributeType attribute_type() {
    SkipWhiteSpace();
    const std::size_t begin = pos_;
    const int type = onnx::AttributeTypeNameMap::Lookup(ParseOptionalIdentifier());
    if (type == 0) {
      pos_ = begin;
      fail("expected an attribute's type, such as float, int, string, ints or tensor");
    }
    return static_cast<AttributeProto::AttributeType>(type);
  }

  bool at_type() {
    const std::string word = PeekIdentifier();
    if (onnx::PrimitiveTypeNameMap::IsTypeName(word)) return true;
    switch (onnx::KeyWordMap::Lookup(word)) {
      case KeyWord::SEQ_TYPE:
      case KeyWord::MAP_TYPE:
      case KeyWord::OPTIONAL_TYPE:
      case KeyWord::SPARSE_TENSOR_TYPE:
      case KeyWord::OPAQUE_TYPE:
        return true;
      default:
        return false;
    }
  }

  void formal_values(const std::string& what, google::protobuf::RepeatedPtrField<std::string>& names,
                     onnx::ValueInfoList& types, std::vector<std::size_t>& offsets) {
    expect('(', fmt::format("before the {}s", what));
    if (Matches(')')) return;
    do {
      onnx::TypeProto type;
      const bool typed = at_type();
      if (typed) run([&] { return Parse(type); });
      SkipWhiteSpace();
      offsets.push_back(pos_);
      if (NextChar() == '*')
        fail_at(pos_,
                fmt::format("a form has a fixed number of {}s; what takes any number of them is a native rule", what));
      *names.Add() = name(fmt::format("an {}'s name", what));
      if (typed) {
        onnx::ValueInfoProto* info = types.Add();
        info->set_name(names[names.size() - 1]);
        *info->mutable_type() = std::move(type);
      }
    } while (Matches(','));
    if (NextChar() == '=')
      fail_at(pos_, "attributes stand in angle brackets before the inputs, as in F <alpha: float = 1.0> (x)");
    if (NextChar() == '.')
      fail_at(pos_,
              fmt::format("a form has a fixed number of {}s; what takes any number of them is a native rule", what));
    expect(')', fmt::format("or ',' after an {}", what));
  }

  void value_types(onnx::ValueInfoList& types) {
    if (Matches('>')) return;
    do {
      onnx::ValueInfoProto* info = types.Add();
      run([&] { return Parse(*info->mutable_type()); });
      info->set_name(name("a value's name"));
    } while (Matches(','));
    expect('>', "after the values' types");
  }

  void body(ParsedFunction& result) {
    expect('{', "before the function's body");
    while (!Matches('}')) {
      if (EndOfInput()) fail(fmt::format("expected '}}' after the body of {}", result.function.name()));
      result.positions.nodes.push_back(pos_);
      onnx::NodeProto* node = result.function.add_node();
      try {
        run([&] { return Parse(*node); });
      } catch (const SyntaxError&) {
        if (auto advice = advice_on_node(input_, result.positions.nodes.back(), result.declared))
          fail_at(advice->offset, std::move(advice->message));
        throw;
      }
      if (node->op_type().empty()) fail_at(result.positions.nodes.back(), "expected an operator after '='");
      if (is_constant_like(*node) && !is_complete_constant_like(*node)) {
        fail_at(behind_comments(input_, result.positions.nodes.back()),
                "write y = onnx_lower.ConstantLike <value = …> (x): one attribute, one input, one output");
      }
      if (is_choice(*node)) check_choice(*node, behind_comments(input_, result.positions.nodes.back()));
    }
    std::vector<std::size_t> nodes;
    for (const int index : write_out_constants_like(result.function, result.declared))
      nodes.push_back(result.positions.nodes[static_cast<std::size_t>(index)]);
    result.positions.nodes = std::move(nodes);
  }

  static void check_choice(const onnx::NodeProto& node, std::size_t offset) {
    if (!is_complete_choice(node))
      throw SyntaxError{offset,
                        "write y = onnx_lower.Choose <where = \"…\"> (a, b): a condition, two inputs, one output"};
    try {
      Condition::parse(node.attribute(0).s());
    } catch (const ConditionError& error) {
      throw SyntaxError{offset, error.what()};
    }
  }

  onnx::FunctionProto ignored_function_;
};

// Rejects a body without an import of ai.onnx, as the versions of its operators would not be known.
void check_imports(const ParsedFunction& parsed) {
  const auto& function = parsed.function;
  for (const auto& import : function.opset_import()) {
    if (normalized_domain(import.domain()).empty()) return;
  }
  for (std::size_t i = 0; i < parsed.positions.nodes.size(); ++i) {
    if (!normalized_domain(function.node(static_cast<int>(i)).domain()).empty()) continue;
    throw SyntaxError{parsed.positions.nodes[i],
                      fmt::format("the header of {} has no opset_import for ai.onnx, as in opset_import: [\"\" : 18]",
                                  function.name())};
  }
}

// Rejects forms of a second operator in a file that has other names for its operator.
void check_same_operator(const ParsedFunction& parsed, const Form& first) {
  const onnx::FunctionProto& function = first.function;
  if (parsed.function.name() == function.name() && normalized_domain(parsed.function.domain()) == function.domain())
    return;
  throw SyntaxError{parsed.positions.name, fmt::format("a file with # Also: holds forms of one operator, here {}",
                                                       operator_name(function.domain(), function.name()))};
}

std::vector<std::pair<Form, FormPositions>> without_choices(Form form, FormPositions positions) {
  const std::size_t begin = positions.name;
  try {
    return write_out_choices(std::move(form), std::move(positions));
  } catch (const ConditionError& error) {
    throw SyntaxError{begin, error.what()};
  }
}

}  // namespace

RuleComments comments_of(std::string_view text) {
  RuleComments comments;
  text = without_byte_order_mark(text);
  constexpr std::string_view source_key = "Source:";
  constexpr std::string_view also_key = "Also:";
  bool is_head = true;
  std::string* last = nullptr;  // the summary or source that the previous line belongs to
  for (std::string_view line : split(text, '\n')) {
    line = trimmed(line);
    if (!line.starts_with('#')) {
      is_head &= line.empty();
      last = nullptr;
      continue;
    }
    line.remove_prefix(std::min(line.find_first_not_of('#'), line.size()));
    const bool goes_on = line.starts_with("  ");
    line = trimmed(line);
    if (goes_on && !line.starts_with(source_key) && !line.starts_with(also_key)) {
      if (last != nullptr) last->append(" ").append(line);
      continue;
    }
    last = nullptr;
    if (line.empty()) continue;
    if (line.starts_with(source_key)) {
      if (!comments.source.empty()) continue;
      comments.source = trimmed(line.substr(source_key.size()));
      last = &comments.source;
    } else if (is_head && line.starts_with(also_key)) {
      comments.also.push_back(trimmed(line.substr(also_key.size())));
    } else if (comments.summary.empty()) {
      comments.summary = line;
      last = &comments.summary;
    }
  }
  return comments;
}

RuleText parse_rule_text(std::string_view text, const std::string& file, RuleOrigin origin) {
  text = without_byte_order_mark(text);
  RuleText result;
  const RuleComments comments = comments_of(text);
  result.summary = comments.summary;
  result.source = comments.source;
  try {
    if (const std::size_t at = find_non_text(text); at != std::string_view::npos) {
      throw SyntaxError{
          at, fmt::format("this is not text: there is a byte 0x{:02x}", static_cast<unsigned char>(text[at]))};
    }
    for (const std::string_view names : comments.also) {
      const auto others = operator_names(names);
      if (!others)
        throw SyntaxError{static_cast<std::size_t>(names.data() - text.data()),
                          "expected other names of the operator, as in # Also: custom::Foo, my_ops::Foo"};
      for (const OperatorName& other : *others) result.also.emplace_back(other.domain, other.op_type);
    }
    check_brackets(source_tokens(text));
    RuleParser parser(text);
    if (parser.at_model()) parser.skip_model_graph();
    int line = 1;
    std::size_t counted = 0;
    while (!parser.at_end()) {
      ParsedFunction parsed = parser.function();
      check_imports(parsed);
      if (!result.also.empty() && !result.forms.empty()) check_same_operator(parsed, result.forms.front());
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                          text.begin() + static_cast<std::ptrdiff_t>(parsed.positions.name), '\n'));
      counted = parsed.positions.name;
      Form form =
          form_of(std::move(parsed.function), std::move(parsed.declared), origin, fmt::format("{}:{}", file, line));
      form.where = std::move(parsed.entries.where);
      form.definitions = std::move(parsed.entries.definitions);
      form.definitions_before_where = parsed.entries.definitions_before_where;
      auto alternatives = without_choices(std::move(form), std::move(parsed.positions));
      for (auto& [one, positions] : alternatives) {
        int line_of_node = line;
        for (std::size_t at = positions.name; const std::size_t node : positions.nodes) {
          const std::size_t begin = behind_comments(text, node);
          line_of_node += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                                      text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
          one.node_lines.push_back(line_of_node);
          at = begin;
        }
        result.forms.push_back(std::move(one));
        result.positions.push_back(std::move(positions));
      }
    }
    if (result.forms.empty()) throw SyntaxError{text.size(), "expected a function, found the end of the file"};
  } catch (const SyntaxError& error) {
    throw RuleSyntaxError(message_at(text, file, error.offset, error.message), error.offset, error.message);
  }
  return result;
}

}  // namespace onnx_lower

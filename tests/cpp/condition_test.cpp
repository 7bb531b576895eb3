// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/conditions/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <initializer_list>
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "rules/conditions/definition.h"

namespace onnx_lower {
namespace {

using Truth = ConditionResult::Truth;

class Facts : public ConditionFacts {
 public:
  Facts() {
    add("approximate").set_type(onnx::AttributeProto::STRING);
    attributes_["approximate"].set_s("none");
    add("alpha").set_type(onnx::AttributeProto::FLOAT);
    attributes_["alpha"].set_f(0.1F);
    add("k").set_type(onnx::AttributeProto::INT);
    attributes_["k"].set_i(3);
    add("axes").set_type(onnx::AttributeProto::INTS);
    add("scales").set_type(onnx::AttributeProto::FLOATS);
    attributes_["scales"].add_floats(1.5F);
    attributes_["scales"].add_floats(2.5F);
    auto& x = *types_["x"].mutable_tensor_type();
    x.set_elem_type(onnx::TensorProto::FLOAT16);
    x.mutable_shape()->add_dim()->set_dim_value(2);
    x.mutable_shape()->add_dim()->set_dim_param("N");
    x.mutable_shape()->add_dim()->set_dim_value(5);
    types_["scalar"].mutable_tensor_type()->mutable_shape();
    types_["sequence"].mutable_sequence_type();
  }

  const onnx::AttributeProto* attribute(std::string_view name) const override {
    const auto found = attributes_.find(std::string(name));
    return found == attributes_.end() ? nullptr : &found->second;
  }
  bool is_given(std::string_view name) const override { return attribute(name) != nullptr; }
  const onnx::TypeProto* type(std::string_view value, Detail) const override {
    const auto found = types_.find(std::string(value));
    return found == types_.end() ? nullptr : &found->second;
  }
  std::optional<bool> is_constant(std::string_view value) const override { return value == "axes"; }
  bool is_present(std::string_view value) const override { return value != "bias"; }
  int64_t opset() const override { return 17; }
  std::optional<int64_t> version() const override { return 13; }

 private:
  onnx::AttributeProto& add(const std::string& name) { return attributes_[name]; }

  std::map<std::string, onnx::AttributeProto> attributes_;
  std::map<std::string, onnx::TypeProto> types_;
};

ConditionResult evaluate(std::string_view text) { return Condition::parse(text).evaluate(Facts()); }

struct Located {
  std::size_t offset = 0;
  std::string message;
};

template <typename Parse>
Located parse_error(const Parse& parse, const std::string& text) {
  try {
    parse(text);
  } catch (const ConditionError& error) {
    return {error.offset(), error.what()};
  }
  FAIL("parses: " << text);
  return {};
}

Located condition_error(const std::string& text) { return parse_error(Condition::parse, text); }

struct Refused {
  const char* text;
  std::size_t offset;
  const char* message;
};

template <typename Parse>
void check_refused(const Parse& parse, std::initializer_list<Refused> cases) {
  for (const Refused& refused : cases) {
    CAPTURE(refused.text);
    const Located failure = parse_error(parse, refused.text);
    CHECK(failure.message == refused.message);
    CHECK(failure.offset == refused.offset);
  }
}

TEST_CASE("an attribute that is given") {
  CHECK(evaluate("attribute(alpha)").truth == Truth::yes);
  CHECK(evaluate("attribute(beta)").truth == Truth::no);
  CHECK(evaluate("attribute(beta)").reason == "attribute beta is not given");
}

TEST_CASE("a condition is true, false or unknown, and says why") {
  struct Case {
    const char* text;
    Truth truth;
    const char* reason;
  };
  const Case cases[] = {
      {"approximate == \"tanh\"", Truth::no, "approximate is \"none\", not \"tanh\""},
      {"approximate == 'none'", Truth::yes, "approximate is \"none\""},
      {"approximate != 'none'", Truth::no, "approximate is \"none\""},
      {"'tanh' == approximate", Truth::no, "approximate is \"none\", not \"tanh\""},
      {"approximate in ('tanh', 'erf', 'sigmoid')", Truth::no,
       "approximate is \"none\", not \"tanh\", \"erf\" or \"sigmoid\""},
      {"approximate in ('none')", Truth::yes, "approximate is \"none\""},
      {"approximate == 1", Truth::unknown, "approximate is \"none\", which cannot be compared with 1"},
      {"alpha == 0.1", Truth::yes, "alpha is 0.1"},
      {"alpha < 1", Truth::yes, "alpha is 0.1, which is < 1"},
      {"alpha > k", Truth::no, "alpha is 0.1, which is not > k (3)"},
      {"k", Truth::yes, "k is 3"},
      {"not k", Truth::no, "k is 3"},
      {"alpha", Truth::unknown, "alpha is 0.1, neither true nor false"},
      {"axes == 1", Truth::unknown, "attribute axes is neither a number nor a string"},
      {"beta == 1", Truth::unknown, "attribute beta is not given"},
      {"rank(x) == 4", Truth::no, "rank(x) is 3, not 4"},
      {"4 > rank(x)", Truth::yes, "rank(x) is 3, which is < 4"},
      {"rank(scalar) == 0", Truth::yes, "rank(scalar) is 0"},
      {"rank(y) == 4", Truth::unknown, "rank(y) is not known"},
      {"rank(sequence) == 4", Truth::unknown, "rank(sequence) is not known"},
      {"dtype(x) == float16", Truth::yes, "dtype(x) is float16"},
      {"dtype(x) in (float, double)", Truth::no, "dtype(x) is float16, not float or double"},
      {"dtype(scalar) == float", Truth::unknown, "dtype(scalar) is not known"},
      {"dim(x, 0) == 2", Truth::yes, "dim(x, 0) is 2"},
      {"dim(x, -1) != 5", Truth::no, "dim(x, -1) is 5"},
      {"dim(x, 1) == 5", Truth::unknown, "dim(x, 1) is not known"},
      {"dim(x, 3) == 5", Truth::unknown, "x has rank 3 and no dimension 3"},
      {"dim(x, 0) == dim(x, 2)", Truth::no, "dim(x, 0) is 2, not dim(x, 2) (5)"},
      {"constant(axes)", Truth::yes, "axes is a constant"},
      {"constant(x)", Truth::no, "x is not a constant"},
      {"not present(bias)", Truth::yes, "bias is absent"},
      {"present(bias)", Truth::no, "bias is absent"},
      {"length(scales) == 2", Truth::yes, "length(scales) is 2"},
      {"length(axes) == 1", Truth::no, "length(axes) is 0, not 1"},
      {"length(k) == 1", Truth::yes, "length(k) is 1"},
      {"length(beta) == 1", Truth::unknown, "attribute beta is not given"},
      {"opset() >= 18", Truth::no, "opset() is 17, which is not >= 18"},
      {"version() < 13", Truth::no, "version() is 13, which is not < 13"},
      {"k + 1 == rank(x) + 1", Truth::yes, "k + 1 is 4, as is rank(x) + 1"},
      {"(k + 1) * 2 == 8", Truth::yes, "(k + 1) * 2 is 8"},
      {"(k == 3) and (k - 1) in (2, 4)", Truth::yes, "k is 3 and (k - 1) is 2"},
      {"not (k) == 3", Truth::no, "(k) is 3"},
      {"dim(x, k - 1) == 5", Truth::yes, "dim(x, k - 1) is 5"},
      {"dim(x, k) == 5", Truth::unknown, "x has rank 3 and no dimension 3"},
      {"scales[1] > 2", Truth::yes, "scales[1] is 2.5, which is > 2"},
      {"scales[2] > 2", Truth::unknown, "scales has 2 elements and none at 2"},
      {"scales + [1] == 2", Truth::unknown, "scales + [1] is a list"},
      {"approximate + 1 == 2", Truth::unknown, "approximate + 1 is not of numbers"},
      {"k % 0 == 2", Truth::unknown, "k % 0 is no number of 64 bits"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.text);
    const ConditionResult result = evaluate(a_case.text);
    CHECK(result.truth == a_case.truth);
    CHECK(result.reason == a_case.reason);
    CHECK(result.holds() == (a_case.truth == Truth::yes));
  }
}

TEST_CASE("and, or and not follow the logic of three values") {
  const char* const values[] = {"k == 4", "rank(y) == 1", "k == 3"};  // false, unknown, true
  const Truth truths[] = {Truth::no, Truth::unknown, Truth::yes};
  for (int i = 0; i < 3; ++i) {
    CHECK(evaluate(std::string("not ") + values[i]).truth == truths[2 - i]);
    for (int j = 0; j < 3; ++j) {
      CAPTURE(i, j);
      CHECK(evaluate(std::string(values[i]) + " and " + values[j]).truth == truths[std::min(i, j)]);
      CHECK(evaluate(std::string(values[i]) + " or " + values[j]).truth == truths[std::max(i, j)]);
    }
  }
}

TEST_CASE("and binds tighter than or, not tighter than both") {
  CHECK(evaluate("k == 3 or k == 4 and k == 5").holds());
  CHECK_FALSE(evaluate("(k == 3 or k == 4) and k == 5").holds());
  CHECK(evaluate("not k == 4 and k == 3").holds());
  CHECK(evaluate("not (k == 4 and k == 3)").holds());
}

TEST_CASE("the reason of a false condition is about its false parts") {
  CHECK(evaluate("k == 3 and rank(x) == 4 and k == 5").reason == "rank(x) is 3, not 4");
  CHECK(evaluate("k == 4 or rank(x) == 4").reason == "k is 3, not 4 and rank(x) is 3, not 4");
  CHECK(evaluate("rank(y) == 4 and k == 3").reason == "rank(y) is not known");
  CHECK(evaluate("rank(y) == 4 and k == 4").reason == "k is 3, not 4");
}

TEST_CASE("a condition tells the names that it speaks of") {
  const Condition condition = Condition::parse("alpha > 0 and (rank(x) == 2 or dtype(y) == float) and not present(z)");
  std::set<std::string> attributes;
  for (const auto& name : condition.attribute_names()) attributes.insert(name.name);
  CHECK(attributes == std::set<std::string>{"alpha"});
  std::map<std::string, std::size_t> values;
  for (const auto& name : condition.value_names()) values[name.name] = name.offset;
  CHECK(values == std::map<std::string, std::size_t>{{"x", 20}, {"y", 37}, {"z", 66}});
}

TEST_CASE("a wrong condition is refused where it is wrong") {
  check_refused(
      Condition::parse,
      {
          {"", 0, "expected a name, a number or a string, found the end of the condition"},
          {"rank(x)", 7, "expected a comparison after rank(x), found the end of the condition"},
          {"rank(x) == ", 11, "expected a name, a number or a string, found the end of the condition"},
          {"rank(x) = 4", 8, "expected '==', found '='"},
          {"rank x == 4", 5, "expected 'and', 'or' or the end of the condition, found 'x'"},
          {"rnk(x) == 4", 0,
           "there is no 'rnk(…)'; known are rank, dtype, dim, constant, present, attribute, length, range, min, max, "
           "nonnegative, positive, zero, known, stretched, static, ranked, made_by, behind, read_by, holds, iteration, "
           "accumulated, model_output, opset and version"},
          {"rank(4) == 4", 5, "expected the name of an input or output in rank(…), found '4'"},
          {"rank(x == 4", 7, "expected ')' after 'rank(', found '='"},
          {"dim(x) == 4", 5, "expected ',' and a dimension's index, found ')'"},
          {"dim(x, 'k') == 4", 7, "expected a dimension's index, as in dim(x, 0) or dim(x, -1)"},
          {"a == 'b", 5, "this string has no closing '"},
          {"a == 99999999999999999999", 5, "'99999999999999999999' is not a number, or too large"},
          {"(a == 1", 7, "expected ')' after the condition in parentheses, found the end of the condition"},
          {"a == 1 b", 7, "expected 'and', 'or' or the end of the condition, found 'b'"},
          {"a in 1", 5, "expected '(' after 'in', found '1'"},
          {"a in (1, 2", 10, "expected ')' after the list, found the end of the condition"},
          {"1 == 1", 5, "both sides are literals"},
          {"dtype(x) == 1", 12, "expected an element type such as float beside dtype(x), found 1"},
          {"dtype(x) == 'float'", 12, "expected an element type such as float beside dtype(x), found 'float'"},
          {"dtype(x) < float", 11, "element types can only be compared with == and !="},
          {"rank(x) == 'a'", 11, "expected a number beside rank(x), found 'a'"},
          {"constant(x) == 1", 0, "constant(x) is true or false; it cannot be compared"},
          {"and a", 0, "expected a name, a number or a string, found 'and'"},
          {"a + constant(x) == 1", 4, "constant(x) is true or false; it cannot be reckoned with"},
          {"a[1 == 2", 4, "expected ']' after the index, found '='"},
          {"(a + 1 == 2", 11, "expected ')' after the condition in parentheses, found the end of the condition"},
          {"length(a, b) == 1", 0, "length(…) takes 1 of these"},
          {"[a, ] == 1", 4, "expected a name, a number or a string, found ']'"},
          {"a == 1 && b == 1", 7, "expected 'and', 'or' or the end of the condition, found '&'"},
      });
}

// The attribute that a definition makes, or the reason why there is none.
std::string value_of(const std::string& text) {
  const std::vector<Definition> definitions = Definition::parse(text);
  REQUIRE(definitions.size() == 1);
  const Definition::Result result = definitions[0].evaluate(Facts());
  if (!result.value) return result.reason;
  CHECK(result.value->name() == definitions[0].name());
  const onnx::AttributeProto& value = *result.value;
  switch (value.type()) {
    case onnx::AttributeProto::INT:
      return fmt::format("{}", value.i());
    case onnx::AttributeProto::FLOAT:
      return fmt::format("{}f", value.f());
    case onnx::AttributeProto::STRING:
      return "'" + value.s() + "'";
    case onnx::AttributeProto::INTS:
      return fmt::format("[{}]", fmt::join(value.ints(), ", "));
    case onnx::AttributeProto::FLOATS:
      return fmt::format("f[{}]", fmt::join(value.floats(), ", "));
    case onnx::AttributeProto::STRINGS:
      return fmt::format("s[{}]", fmt::join(value.strings(), ", "));
    default:
      return "?";
  }
}

TEST_CASE("a definition computes a value, or says why it cannot") {
  struct Case {
    const char* text;
    const char* value;
  };
  const Case cases[] = {
      {"a = 1", "1"},
      {"a = -k", "-3"},
      {"a = - k + 2", "-1"},
      {"a = k-1", "2"},
      {"a = 1 + 2 * 3", "7"},
      {"a = (1 + 2) * 3", "9"},
      {"a = 7 // 2 - -7 // 2", "7"},
      {"a = -7 % 3", "2"},
      {"a = 7 % -3", "-2"},
      {"a = -6 % 3", "0"},
      {"a = k / 2", "1.5f"},
      {"a = alpha", "0.1f"},
      {"a = 1.0 * k", "3f"},
      {"a = 7.5 // 2", "3f"},
      {"a = 7.5 % 2", "1.5f"},
      {"a = 10 - 2 - 3", "5"},
      {"a = 'x'", "'x'"},
      {"a = float16", "10"},
      {"a = dtype(x)", "10"},
      {"a = rank(x)", "3"},
      {"a = dim(x, -1) * dim(x, 0)", "10"},
      {"a = range(3)", "[0, 1, 2]"},
      {"a = range(-k, 0)", "[-3, -2, -1]"},
      {"a = range(2, 2)", "[]"},
      {"a = range(2, -9223372036854775808)", "[]"},
      {"a = [k, 2 * k, dtype(x)]", "[3, 6, 10]"},
      {"a = []", "[]"},
      {"a = axes", "[]"},
      {"a = [1.5, k]", "f[1.5, 3]"},
      {"a = ['a', approximate]", "s[a, none]"},
      {"a = range(2) + [7] * 2 + [9]", "[0, 1, 7, 7, 9]"},
      {"a = [1] * -1", "[]"},
      {"a = [] * 9223372036854775807", "[]"},
      {"a = [4, 5, 6][k - 1]", "6"},
      {"a = [4, 5, 6][-1]", "6"},
      {"a = range(9)[2]", "2"},
      {"a = scales[0]", "1.5f"},
      {"a = k[0]", "3"},
      {"a = ['linear', 'cubic'][k - 2]", "'cubic'"},
      {"a = min(k, 2)", "2"},
      {"a = max(k, 2.5, 1)", "3"},
      {"a = max(scales)", "2.5f"},
      {"a = length(scales) + length(axes) + length(k)", "3"},
      {"a = opset()", "17"},
      {"a = version()", "13"},
      {"a = 1 if k == 3 else 2", "1"},
      {"a = 1 if k == 4 else 2 if k == 5 else 3", "3"},
      {"a = [1 if present(bias) else 0, (k if k < 0 else k - rank(x)) + 1]", "[0, 1]"},
      {"a = k if rank(x) == 3 and not present(bias) else rank(y)", "3"},
      // Where there is none.
      {"a = rank(y)", "rank(y) is not known"},
      {"a = range(rank(y))", "rank(y) is not known"},
      {"a = [1, dim(x, 1)]", "dim(x, 1) is not known"},
      {"a = 1 if rank(y) == 1 else 1", "rank(y) is not known"},
      {"a = beta + 1", "attribute beta is not given"},
      {"a = 1 // 0", "1 // 0 is no number of 64 bits"},
      {"a = 9223372036854775807 + k", "9223372036854775807 + k is no number of 64 bits"},
      {"a = -9223372036854775808 // -1", "-9223372036854775808 // -1 is no number of 64 bits"},
      {"a = range(0, 9223372036854775807)", "range(0, 9223372036854775807) has more than 65536 elements"},
      {"a = [1] * 9223372036854775807", "[1] * 9223372036854775807 has more than 65536 elements"},
      {"a = range(65536) + [1]", "range(65536) + [1] has more than 65536 elements"},
      {"a = range(alpha)", "range(alpha) is not of integers"},
      {"a = [4, 5][2]", "[4, 5] has 2 elements and none at 2"},
      {"a = [4, 5][-3]", "[4, 5] has 2 elements and none at -3"},
      {"a = [4, 5]['a']", "[4, 5] has 2 elements and none at \"a\""},
      {"a = [scales, 1]", "attribute scales is neither a number nor a string"},
      {"a = [range(2)]", "range(2) is a list"},
      {"a = 'x' + 1", "'x' + 1 is not of numbers"},
      {"a = min(axes)", "min(axes) is not of numbers"},
      {"a = min('a', 1)", "min('a', 1) is not of numbers"},
      {"a = max(1, range(3), 2)", "max(1, range(3), 2) is not of numbers"},
      {"a = ['a', 1]", "['a', 1] holds strings beside numbers"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.text);
    CHECK(value_of(a_case.text) == a_case.value);
  }
}

TEST_CASE("a list holds no more than a MiB of text") {
  const std::string text = "'" + std::string(1024, 's') + "'";
  CHECK(value_of("a = length([" + text + "] * 1024)") == "1024");
  for (const std::string& list : {"[" + text + "] * 1025", "([" + text + "] * 1000) + ([" + text + "] * 25)"}) {
    CAPTURE(list);
    CHECK(value_of("a = length(" + list + ")") == list + " has more than 1048576 bytes of text");
  }
  std::string longest = "[" + text;
  for (int i = 1; i < 1025; ++i) longest += ", " + text;
  CHECK(value_of("a = " + longest + "]") == longest + "] has more than 1048576 bytes of text");
}

TEST_CASE("one text holds several definitions, which know their names and types") {
  const auto definitions =
      Definition::parse("first = k + rank(x); list = range(first) + axes ; s = 'a' if k else scales");
  REQUIRE(definitions.size() == 3);
  CHECK(definitions[1].name() == "list");
  CHECK(definitions[1].offset() == 21);
  CHECK(definitions[1].attribute_names().size() == 2);
  CHECK(definitions[2].attribute_names().size() == 2);
  CHECK(definitions[0].value_names().at(0).offset == 17);

  struct Case {
    const char* text;
    onnx::AttributeProto::AttributeType type;
  };
  const Case cases[] = {
      {"a = i + rank(x)", onnx::AttributeProto::INT},   {"a = i / 2", onnx::AttributeProto::FLOAT},
      {"a = f * i", onnx::AttributeProto::FLOAT},       {"a = range(i) + [1]", onnx::AttributeProto::INTS},
      {"a = [f, i]", onnx::AttributeProto::FLOATS},     {"a = ['a']", onnx::AttributeProto::STRINGS},
      {"a = [1] * i", onnx::AttributeProto::INTS},      {"a = ['a', 'b'][i]", onnx::AttributeProto::STRING},
      {"a = max(list)", onnx::AttributeProto::INT},     {"a = min(f, i)", onnx::AttributeProto::UNDEFINED},
      {"a = 1 if i else 2", onnx::AttributeProto::INT}, {"a = 1 if i else 'a'", onnx::AttributeProto::UNDEFINED},
      {"a = unknown", onnx::AttributeProto::UNDEFINED}, {"a = -dim(x, 0)", onnx::AttributeProto::INT},
      {"a = list", onnx::AttributeProto::INTS},         {"a = float16", onnx::AttributeProto::INT},
  };
  const auto type_of = [](std::string_view name) {
    return name == "i"      ? onnx::AttributeProto::INT
           : name == "f"    ? onnx::AttributeProto::FLOAT
           : name == "list" ? onnx::AttributeProto::INTS
                            : onnx::AttributeProto::UNDEFINED;
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.text);
    CHECK(Definition::parse(a_case.text)[0].type(type_of) == a_case.type);
  }
}

TEST_CASE("a wrong definition is refused where it is wrong") {
  check_refused(Definition::parse,
                {
                    {"", 0, "expected the name of what is defined, found the end of the definition"},
                    {"1 = 2", 0, "expected the name of what is defined, found '1'"},
                    {"a", 1, "expected '=' after a, found the end of the definition"},
                    {"a = ", 4, "expected a name, a number or a string, found the end of the definition"},
                    {"a = 1 2", 6, "expected ';' or the end of the definition, found '2'"},
                    {"a = 1;", 6, "expected the name of what is defined, found the end of the definition"},
                    {"float = 1", 0, "'float' has a meaning of its own and cannot be defined"},
                    {"else = 1", 0, "'else' has a meaning of its own and cannot be defined"},
                    {"a = b == 1", 6, "expected ';' or the end of the definition, found '='"},
                    {"a = 1 if b", 10, "expected 'else' after the condition, found the end of the definition"},
                    {"a = (1", 6, "expected ')' after the value in parentheses, found the end of the definition"},
                    {"a = [1", 6, "expected ']' after the list, found the end of the definition"},
                    {"a = range(1, 2, 3)", 4, "range(…) takes 2 of these"},
                    {"a = range()", 10, "expected a name, a number or a string, found ')'"},
                    {"a = present(x)", 4, "present(x) is true or false; it has no value"},
                });
}

TEST_CASE("deep nesting of values is refused, not followed") {
  for (const char* opening : {"(", "[", "-", "1 if 1 == ", "min(", "k["}) {
    CAPTURE(opening);
    std::string text = "a = ";
    for (int i = 0; i < 100000; ++i) text += opening;
    CHECK_THROWS_AS(Definition::parse(text), ConditionError);
  }
}

TEST_CASE("a long chain of operators is refused as deep nesting is") {
  const auto chain = [](std::string_view first, std::string_view next, int count) {
    std::string text(first);
    for (int i = 0; i < count; ++i) text += next;
    return text;
  };
  for (const char* next : {"+1", "-1", "*1", "//1", "/1", "%1", "[0]", "+1*k[0]"}) {
    CAPTURE(next);
    CHECK_NOTHROW(Definition::parse(chain("a = k", next, 250)));
    for (const int count : {300, 100000}) {
      CHECK(parse_error(Definition::parse, chain("a = k", next, count)).message == "the definition nests too deep");
      CHECK(condition_error(chain("k", next, count) + " == 1").message == "the condition nests too deep");
      CHECK(condition_error("a == 1 or b == (1 if " + chain("k", next, count) + " == 1 else 2)").message ==
            "the condition nests too deep");
    }
  }
  // Also where each of two chains is within the limit, and one is in the other.
  CHECK_THROWS_AS(Definition::parse(chain("a = (k", "+1", 200) + chain(")", "+1", 100)), ConditionError);
}

TEST_CASE("a long chain of conditions takes memory in proportion to its length") {
  std::string text = "k == 1";
  for (int i = 0; i < 100000; ++i) text += " or k == 2 and k != 3";
  CHECK(Condition::parse(text).text() == text);
}

TEST_CASE("deep nesting is refused, not followed") {
  CHECK(condition_error(std::string(100000, '(') + "a").message == "the condition nests too deep");
  std::string negations;
  for (int i = 0; i < 100000; ++i) negations += "not ";
  CHECK(condition_error(negations + "a").message == "the condition nests too deep");
}

}  // namespace
}  // namespace onnx_lower

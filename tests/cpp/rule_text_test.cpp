// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/text/rule_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "error.h"
#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

RuleText rule_text(std::string_view text) { return parse_rule_text(text, "rules/custom/F.onnxtxt", RuleOrigin::user); }

std::string failure_of(std::string_view text) {
  try {
    parse_rule_text(text, "f.onnxtxt", RuleOrigin::user);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  FAIL("parses: " << text);
  return {};
}

constexpr std::string_view threshold = R"(# y = value where x <= threshold, else x.
# Source: aten::threshold, as torch computes it.
<domain: "rknn_cst", opset_import: ["" : 15]>
cstThreshold <threshold: float, value: float = 0.5> (x) => (y) {
  t = Constant <value_float: float = @threshold> ()
  v = Constant <value_float: float = @value> ()
  low = LessOrEqual (x, t)
  y = Where (low, v, x)
}

# The other spelling.
["where": "rank(x) == 4 and mode == \"a\""]
<domain: "rknn_cst", opset_import: ["" : 15]>
cstThreshold <param: floats, mode, axes: ints = [], dtype_of_x, dim_m1_of_x> (x) => (y) { y = Identity (x) }
)";

TEST_CASE("an indented comment goes on with the summary or the source above it") {
  const RuleComments comments = comments_of(
      "# y = value where x <= threshold,\n#    else x.\n#\n#    an example\n# Source: aten::threshold,\n"
      "#   as torch computes it.\n# Of a third kind.\n<domain: \"d\">\n");
  CHECK(comments.summary == "y = value where x <= threshold, else x.");
  CHECK(comments.source == "aten::threshold, as torch computes it.");
}

TEST_CASE("a rule file holds its summary, its source and its forms") {
  const RuleText rules = rule_text(threshold);
  CHECK(rules.summary == "y = value where x <= threshold, else x.");
  CHECK(rules.source == "aten::threshold, as torch computes it.");
  REQUIRE(rules.forms.size() == 2);

  const Form& first = rules.forms[0];
  CHECK(first.function.domain() == "rknn_cst");
  CHECK(first.function.name() == "cstThreshold");
  CHECK(first.function.node_size() == 4);
  CHECK(first.function.opset_import(0).version() == 15);
  CHECK_FALSE(first.where);
  CHECK(first.where_from == "rules/custom/F.onnxtxt:4");
  REQUIRE(first.attributes.size() == 2);
  CHECK(first.attributes[0].required());
  CHECK(first.attributes[0].type == AttributeProto::FLOAT);
  CHECK_FALSE(first.attributes[1].required());
  CHECK(first.default_of(first.attributes[1])->f() == 0.5F);
  CHECK(first.function.attribute_size() == 1);
  CHECK(first.function.attribute_proto_size() == 1);
  CHECK(signature(first) == "cstThreshold <threshold: float, value: float = 0.5> (x) => (y)");

  const Form& second = rules.forms[1];
  REQUIRE(second.where);
  CHECK(second.where->text() == "rank(x) == 4 and mode == \"a\"");
  CHECK(second.where_from == "rules/custom/F.onnxtxt:14");
  REQUIRE(second.attributes.size() == 3);
  CHECK(second.attribute("param")->type == AttributeProto::FLOATS);
  CHECK(second.attribute("param")->required());
  CHECK(second.attribute("mode")->type == AttributeProto::UNDEFINED);
  CHECK_FALSE(second.attribute("axes")->required());
  CHECK(second.default_of(*second.attribute("axes"))->ints_size() == 0);
  REQUIRE(second.bound.size() == 2);
  CHECK(second.bound[0].kind == BoundAttribute::Kind::dtype);
  CHECK(second.bound[1].kind == BoundAttribute::Kind::dim);
  CHECK(second.bound[1].axis == -1);
  CHECK(second.bound[1].index == 0);
  CHECK(signature(second) == "cstThreshold <param: floats, mode, axes: ints = []> (x) => (y)");
}

TEST_CASE("attributes that the engine binds are those of a known input or output") {
  const Form form = rule_text(R"(<domain: "d", opset_import: ["" : 18]>
F <rank_of_b, dims_of_y, dim_12_of_a, value_of_b, value_of_y, dtype_of_q, dim_x_of_a, rank_of_a = 3> (a, b) => (y) { y = Add (a, b) })")
                        .forms[0];
  REQUIRE(form.bound.size() == 4);
  CHECK(form.bound[0].index == 1);
  CHECK_FALSE(form.bound[0].is_output);
  CHECK(form.bound[1].kind == BoundAttribute::Kind::dims);
  CHECK(form.bound[1].is_output);
  CHECK(form.bound[2].axis == 12);
  CHECK(form.bound[3].kind == BoundAttribute::Kind::value);
  CHECK(form.attributes.size() == 4);
}

TEST_CASE("the default domain is the empty one") {
  const Form form = rule_text(R"(<domain: "ai.onnx", opset_import: ["ai.onnx" : 18]>
F (a) => (y) { y = If (a) <then_branch = g () => (t) { t = ai.onnx.Relu (a) }, else_branch = g () => (t) { t = Relu (a) }> })")
                        .forms[0];
  CHECK(form.function.domain().empty());
  CHECK(form.function.opset_import(0).domain().empty());
  CHECK(form.function.node(0).attribute(0).g().node(0).domain().empty());
}

TEST_CASE("functions after a model's graph are rules, too") {
  const RuleText rules = rule_text(R"(<ir_version: 8, opset_import: ["" : 13, "custom" : 1], metadata_props: ["a": "b"]>
lib (float[N] a) => (float[N] b) { b = Identity (a) }
<domain: "custom", opset_import: ["" : 13]>
Foo (x, y) => (z) { z = Add (x, y) }
<domain: "custom", opset_import: ["" : 13]>
Bar (float[N] x) => (z) <float[N] t> { t = Neg (x)  z = Neg (t) }
)");
  REQUIRE(rules.forms.size() == 2);
  CHECK(rules.forms[0].function.name() == "Foo");
  CHECK(rules.forms[1].function.value_info_size() == 2);
}

TEST_CASE("what a rule's text may look like besides") {
  CHECK(rule_text("\xEF\xBB\xBF<opset_import: [\"\" : 18]> F (x) => (y) { y = Neg (x) }").forms.size() == 1);
  CHECK(rule_text("<opset_import: [\"\" : 18]>\r\nF (x) => (y)\r\n{ y = Neg (x) }\r\n").forms.size() == 1);
  CHECK(rule_text(
            "<domain: \"d\", opset_import: [\"e\" : 1], overload: \"o\", doc_string: \"s\"> \"F-1\" (x) => (y) { y = "
            "e.f.g (x) }")
            .forms[0]
            .function.overload() == "o");
  CHECK(rule_text("<opset_import: [\"\" : 18]> F <k: int = -3, big: float = 1e30> (x) => () { }")
            .forms[0]
            .attributes.size() == 2);
}

TEST_CASE("a number in the type of a value is a Constant and a CastLike") {
  const RuleText text = rule_text(
      "<domain: \"custom\", opset_import: [\"\" : 18]>\n"
      "F <k: float, n: int, list: floats, c: int> (x) => (y) {\n"
      "  a = onnx_lower.ConstantLike <value = @k> (x)\n"
      "  b = onnx_lower.ConstantLike <value = @n> (x)\n"
      "  b_ = onnx_lower.ConstantLike <value = @list> (x)\n"
      "  d = onnx_lower.ConstantLike <value = double {0.1}> (b_)\n"
      "  e = onnx_lower.ConstantLike <value = 2.0> (x)\n"
      "  y = If <then_branch = g () => (r) { r = onnx_lower.ConstantLike <value = 3> (x) }> (c)\n"
      "}\n");
  const onnx::FunctionProto& function = text.forms.at(0).function;
  std::string nodes;
  for (const onnx::NodeProto& node : function.node()) {
    nodes += node.op_type() + " " + node.output(0);
    if (node.op_type() == "Constant") {
      const onnx::AttributeProto& value = node.attribute(0);
      nodes += " " + value.name() + " " + value.ref_attr_name();
      CHECK(value.type() != onnx::AttributeProto::UNDEFINED);
    } else if (node.op_type() == "CastLike") {
      nodes += " " + node.input(0) + " " + node.input(1);
      CHECK(node.attribute_size() == 0);
      CHECK(node.domain().empty());
    }
    nodes += "; ";
  }
  CHECK(nodes ==
        "Constant a_ value_float k; CastLike a a_ x; Constant b__ value_int n; CastLike b b__ x; "
        "Constant b___ value_floats list; CastLike b_ b___ x; Constant d_ value ; CastLike d d_ b_; "
        "Constant e_ value_float ; CastLike e e_ x; If y; ");
  const onnx::GraphProto& branch = function.node(10).attribute(0).g();
  REQUIRE(branch.node_size() == 2);
  CHECK(branch.node(0).attribute(0).name() == "value_int");
  CHECK(branch.node(1).input(0) == branch.node(0).output(0));
  // Both stand where the one stood.
  CHECK(text.forms[0].node_lines == std::vector<int>{3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8});
  CHECK(text.positions[0].nodes.size() == 11);
  CHECK_THAT(
      failure_of("<opset_import: [\"\" : 18]>\nF (x) => (y) { y = onnx_lower.ConstantLike <value_float = 1.0> (x) }"),
      Catch::Contains("f.onnxtxt:2:16: error: write y = onnx_lower.ConstantLike <value = …> (x): one attribute"));
}

TEST_CASE("a choice between two values makes two forms of one") {
  const RuleText text = rule_text(
      "[\"where\": \"rank(x) == 1 or rank(x) == 2\"]\n"
      "<domain: \"custom\", opset_import: [\"\" : 18]>\n"
      "F <k: int> (x, w) => (y, z) {\n"
      "  a = Abs (x)\n"
      "  b = Mul (a, w)\n"
      "  c = onnx_lower.Choose <where = \"present(w)\"> (b, a)\n"
      "  d = Neg (c)\n"
      "  e = Exp (c)\n"
      "  y = onnx_lower.Choose <where = \"k == 1\"> (d, e)\n"
      "  z = onnx_lower.Choose <where = \"k == 1\"> (x, d)\n"
      "}\n");
  std::vector<std::string> forms;
  for (const Form& form : text.forms) {
    std::string& nodes = forms.emplace_back();
    for (const onnx::NodeProto& node : form.function.node())
      nodes += fmt::format("{} = {} ({}); ", node.output(0), node.op_type(), fmt::join(node.input(), ", "));
    nodes += fmt::format("{} where {}", fmt::join(form.function.output(), ", "), form.where->text());
  }
  CHECK(forms == std::vector<std::string>{"a = Abs (x); c = Mul (a, w); y = Neg (c); y, x where "
                                          "((rank(x) == 1 or rank(x) == 2) and (k == 1)) and (present(w))",
                                          "a = Abs (x); y = Neg (a); y, x where "
                                          "((rank(x) == 1 or rank(x) == 2) and (k == 1)) and not (present(w))",
                                          "a = Abs (x); c = Mul (a, w); z = Neg (c); y = Exp (c); y, z where "
                                          "((rank(x) == 1 or rank(x) == 2) and not (k == 1)) and (present(w))",
                                          "a = Abs (x); z = Neg (a); y = Exp (a); y, z where "
                                          "((rank(x) == 1 or rank(x) == 2) and not (k == 1)) and not (present(w))"});
  CHECK(text.forms[3].node_lines == std::vector<int>{4, 7, 8});
  CHECK(text.positions[3].nodes.size() == 3);
  CHECK_THAT(failure_of("<opset_import: [\"\" : 18]>\nF (x) => (y) { y = onnx_lower.Choose (x, x) }"),
             Catch::Contains("f.onnxtxt:2:16: error: write y = onnx_lower.Choose <where = \"…\"> (a, b)"));
  CHECK_THAT(
      failure_of("<opset_import: [\"\" : 18]>\nF (x) => (y) { y = onnx_lower.Choose <where = \"rank(x)\"> (x, x) }"),
      Catch::Contains("f.onnxtxt:2:16: error: expected a comparison after rank(x)"));
  // Independent conditions double the forms.
  std::string choices;
  std::vector<std::string> chosen;
  for (int rank = 0; rank < 24; ++rank) {
    chosen.push_back(fmt::format("v{}", rank));
    choices += fmt::format("  {} = onnx_lower.Choose <where = \"rank(x) == {}\"> (a, b)\n", chosen.back(), rank);
  }
  CHECK_THAT(failure_of(fmt::format(
                 "<opset_import: [\"\" : 18]>\nF (x) => (y) {{\n  a = Abs (x)\n  b = Neg (x)\n{}  y = Sum ({})\n}}",
                 choices, fmt::join(chosen, ", "))),
             Catch::Contains("f.onnxtxt:2:1: error: its choices make more than 64 forms of it"));
}

TEST_CASE("an error names file, line and column, what was expected and what was found, and points at it") {
  CHECK(failure_of("<domain: \"d\", opset_import: [\"\" : 18]>\nF (x) = (y) { y = Neg (x) }\n") ==
        "f.onnxtxt:2:7: error: expected '=>' after the inputs, found '='\n"
        "  F (x) = (y) { y = Neg (x) }\n"
        "        ^");
  CHECK(failure_of("") == "f.onnxtxt:1:1: error: expected a function, found the end of the file\n  \n  ^");
  // Columns count characters, not bytes; a tab stays a tab, so that the caret stands below its
  // place.
  CHECK(failure_of("# ä\n<domain: \"ä\",\t3>") ==
        "f.onnxtxt:2:15: error: expected domain, opset_import or another key of the function's header, found '3'\n"
        "  <domain: \"ä\",\t3>\n"
        "               \t^");
}

TEST_CASE("every kind of error is said in words") {
  const std::string head = "<opset_import: [\"\" : 18]>\n";
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"<domain: 3> F", "1:10: error: expected a string in double quotes after domain:, found '3'"},
      {"<opset_import: [\"\" : x]> F", "1:22: error: expected an integer, found 'x'"},
      {"<opset_import: [\"\" : 99999999999999999999]> F", "1:22: error: this number is too large"},
      {"<opset_import: [\"\" : 18>", "1:24: error: expected ']' after the opset imports, found '>'"},
      {"<ir_version: 8> F", "1:18: error: expected '=', found the end of the file"},
      {"<domain \"d\"> F", "1:9: error: expected ':' after domain, found \"d\""},
      {"<opset_import: [\"\" : 18], overload: \"a\",> F",
       "1:41: error: expected domain, opset_import or another key of the function's header, found '>'"},
      {head + "3 (x) => (y) {}", "2:1: error: expected the function's name, found '3'"},
      {head + "F <k: flot> (x) => (y) {}",
       "2:7: error: expected an attribute's type, such as float, int, string, ints or tensor, found 'flot'"},
      {head + "F <k: int = 0.5> (x) => (y) {}",
       "2:13: error: this value is not of the type that the attribute is declared with"},
      {head + "F <k: int = [1]> (x) => (y) {}", "2:5: error: k is declared int, and its default is ints"},
      {head + "F <k: float = > (x) => (y) {}",
       "2:15: error: expected a value: a number, a string, a list, a tensor or a graph, found '>'"},
      {head + "F <k = []> (x) => (y) {}",
       "2:9: error: an empty list needs a declared type, as in axes: ints = [], found ']'"},
      {head + "F <k = 99999999999999999999> (x) => (y) {}", "2:8: error: this number is too large"},
      {head + "F <k: float = 1e99> (x) => (y) {}", "2:15: error: this number is too large"},
      {head + "F <k, k> (x) => (y) {}", "2:7: error: attribute k is declared twice"},
      {head + "F <k,> (x) => (y) {}", "2:6: error: expected an attribute's name, found '>'"},
      {head + "F <k = @j> (x) => (y) {}", "2:5: error: a default cannot refer to another attribute"},
      {head + "F <k (x) => (y) {}", "2:6: error: expected '>' or ',' after an attribute, found '('"},
      {head + "F x => (y) {}", "2:3: error: expected '(' before the inputs, found 'x'"},
      {head + "F (x,) => (y) {}", "2:6: error: expected an input's name, found ')'"},
      {head + "F (x y) => (y) {}", "2:6: error: expected ')' or ',' after an input, found 'y'"},
      {head + "F (x) => (y)", "2:13: error: expected '{' before the function's body, found the end of the file"},
      {head + "F (x) => (y) { y = Neg (x)", "2:27: error: expected '}' after the body of F, found the end of the file"},
      {head + "F (x) => (y) { y Neg (x) }", "2:18: error: expected '=', found 'Neg'"},
      {head + "F (x) => (y) { y = Neg x) }", "2:24: error: expected '(', found 'x'"},
      {head + "F (x) => (y) { y = Neg (x; z) }", "2:26: error: expected ')', found ';'"},
      {head + "F (x) => (y) { y = (x) }", "2:16: error: expected an operator after '='"},
      {head + "F (x) => (y) { y = Neg <k: intt = 1> (x) }",
       "2:28: error: expected an attribute's type, such as float, int, string, ints or tensor, found 'intt'"},
      {head + "F (x) => (y) { y = Neg <k: int = 99999999999999999999> (x) }", "2:34: error: this number is too large"},
      {head + "F (x) => (y) { y = Neg <k = \"abc> (x) }", "2:29: error: this string has no closing quote"},
      {head + "F (x) => (y) { y = C <v = float[N] {1}> () }", "expected a tensor's dimensions as numbers"},
      {"F (x) => (y) { y = Neg (x) }",
       "1:16: error: the header of F has no opset_import for ai.onnx, as in opset_import: [\"\" : 18]"},
      {"[\"were\": \"k == 1\"]\n" + head + "F (x) => (y) {}",
       "1:2: error: expected \"where\" or \"let\", found \"were\""},
      {"[\"let\": \"a = 1; b = a +\"]\n" + head + "F (x) => (y) {}",
       "1:24: error: expected a name, a number or a string, found the end of the definition"},
      {"[\"let\": \"a = 1\", \"where\": \"a = 1\"]\n" + head + "F (x) => (y) {}",
       "1:30: error: expected '==', found '='"},
      {"[\"where\": \"k == \\\"a\\\" or 1 == 1\"]\n" + head + "F (x) => (y) {}",
       "1:31: error: both sides are literals"},
      {"[\"where\" \"k\"]", "1:10: error: expected ':' after \"where\", found \"k\""},
      {"<ir_version: 8>\nlib (float[N] a) => (b) { b = Identity a }", "2:40: error: expected '(', found 'a'"},
      {"<ir_version: 8>\nlib (float[N] a) => (float[N] b) { b = Identity (a) }",
       "2:54: error: expected a function, found the end of the file"},
      {"<ir_version: 8, ir: 9>\n", "expected domain, opset_import or another key in the model's header, found 'ir'"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.text);
    CHECK_THAT(failure_of(a_case.text), Catch::Contains(a_case.message));
  }
}

TEST_CASE("the usual mistakes in a rule's text are told with what to write instead") {
  struct Case {
    std::string node;
    std::string message;
  };
  const Case nodes[] = {
      {"y = acme::Other (x)", "3:5: error: write acme.Other: a dot stands between domain and operator"},
      {"y = my.ops::Other (x)", "3:5: error: write my.ops.Other:"},
      {"y = ai.onnx::Relu (x)", "3:5: error: write Relu: the operators of ai.onnx stand without a domain"},
      {"y = Add (x, 1.0)",
       "3:13: error: an operand is the name of a value, and numbers need a Constant: c = Constant "
       "<value_float = 1.0> ()"},
      {"y = Add (1, x)",
       "3:10: error: an operand is the name of a value, and numbers need a Constant: c = Constant "
       "<value_int = 1> ()"},
      {"y = Add (x, -1e3)", "numbers need a Constant: c = Constant <value_float = -1e3> ()"},
      {"y = Reshape (x, [1])", "3:17: error: an operand is the name of a value, and lists need a Constant"},
      {"y = 1.0", "3:5: error: an operand is the name of a value, and numbers need a Constant"},
      {"y = Add (x, @a)", "make one of the attribute, c = Constant <value_float = @a> ()"},
      {"y = Relu (Neg (x))",
       "3:11: error: a call cannot stand in a call: write t = Neg (…) before this node, and use t"},
      {"y = Relu (acme.Neg (x))", "3:11: error: a call cannot stand in a call: write t = acme.Neg (…)"},
      {"y = Add (x, Elu <alpha = 1.0> (x))", "3:13: error: a call cannot stand in a call: write t = Elu (…)"},
      {"y = x + x", "3:7: error: there are no infix operators: write Add (x, x)"},
      {"y = x - x", "write Sub (x, x)"},
      {"y = x * 2", "write Mul (x, …)"},
      {"y = x / x", "write Div (x, x)"},
      {"y = x < 2", "write Less (x, …)"},
      {"y = x > x", "write Greater (x, x)"},
      {"y = (x + x)", "3:8: error: there are no infix operators: write Add (x, x)"},
      {"y = Relu (x + x)", "3:13: error: there are no infix operators: write Add (x, x)"},
      {"y = -x", "3:5: error: there are no prefix operators: write Neg (x)"},
      {"y = Relu (-x)", "there are no prefix operators: write t = Neg (x)"},
      {"y = x",
       "3:5: error: a node is an operator and its operands in parentheses; another name for a value is y = Identity "
       "(x)"},
      {"y = Elu <alpha = a> (x)", "3:18: error: write @a for an attribute"},
      {"y = Elu <alpha: float = a> (x)", "3:25: error: write @a for an attribute"},
      {"y = Elu <alpha: a> (x)", "3:17: error: write alpha = @a for an attribute"},
      {"y = Elu <alpha = b> (x)", "3:18: error: 'b' is no value: write @ and a name for an attribute of the form"},
      {"y = Elu <alpha = true> (x)", "3:18: error: there are no booleans: write 1"},
      {"y = Elu <alpha = 'a'> (x)", "3:18: error: strings stand in double quotes"},
      {"y = Elu <alpha = @a + 1> (x)", "3:18: error: the value of an attribute is not computed: write @a,"},
      {"y = Elu <alpha = -@a> (x)", "3:18: error: the value of an attribute is not computed: write @a,"},
      {"y = Elu (x, alpha = @a)",
       "3:13: error: attributes stand in angle brackets before the operands: <alpha = …> (…)"},
      {"y := Neg (x)", "3:3: error: write = between the outputs and the operator"},
      {"y == Neg (x)", "3:4: error: write = once"},
      {"y = Neg (x);", "3:12: error: nodes end without a semicolon"},
      {"return Neg (x)", "3:1: error: 'return' has no meaning here"},
      {"y = my-op.Neg (x)", "3:7: error: a hyphen cannot stand in the domain of a node"},
  };
  for (const Case& a_case : nodes) {
    CAPTURE(a_case.node);
    const std::string text =
        "<domain: \"d\", opset_import: [\"\" : 18]>\nF <a: float> (x) => (y) {\n" + a_case.node + "\n}\n";
    CHECK_THAT(failure_of(text), Catch::Contains(a_case.message));
  }
  const std::string head = "<domain: \"d\", opset_import: [\"\" : 18]>\n";
  const Case heads[] = {
      {"F (x) -> (y) { y = Neg (x) }", "2:7: error: write => between the inputs and the outputs"},
      {"def F (x) => (y) { y = Neg (x) }", "2:1: error: a form begins with its name: leave out 'def'"},
      {"my-op (x) => (y) { y = Neg (x) }",
       "2:1: error: a hyphen stands in a name only where the name is in double quotes"},
      {"// F\nF (x) => (y) { y = Neg (x) }", "2:1: error: comments begin with #"},
      {"F (x, a = 1.0) => (y) { y = Neg (x) }", "2:9: error: attributes stand in angle brackets before the inputs"},
      {"F (x...) => (y) { y = Sum (x) }", "2:5: error: a form has a fixed number of inputs"},
      {"F (*x) => (y) { y = Sum (x) }", "2:4: error: a form has a fixed number of inputs"},
      {"F <float a> (x) => (y) { y = Neg (x) }", "2:4: error: the type stands behind the name: write a: float"},
  };
  for (const Case& a_case : heads) {
    CAPTURE(a_case.node);
    CHECK_THAT(failure_of(head + a_case.node), Catch::Contains(a_case.message));
  }
  // What is none of them keeps the parser's words.
  CHECK_THAT(failure_of(head + "F (x) => (y) { y = Neg x) }"), Catch::Contains("2:24: error: expected '(', found 'x'"));
  CHECK_THAT(failure_of(head + "F (x) => (y) { y = Neg (x y) }"),
             Catch::Contains("2:27: error: expected ')', found 'y'"));
}

TEST_CASE("what is not text, and what nests too deep, is refused before it is parsed") {
  using namespace std::string_literals;
  CHECK_THAT(failure_of("# a\n\0"s), Catch::Contains("2:1: error: this is not text: there is a byte 0x00"));
  CHECK_THAT(failure_of("\xff\xfe"), Catch::Contains("0xff"));
  CHECK_THAT(failure_of(std::string(1000000, '(')), Catch::Contains("brackets nest more than 100 deep here"));
  std::string types = "<opset_import: [\"\" : 18]> F (";
  for (int i = 0; i < 100000; ++i) types += "seq(";
  CHECK_THAT(failure_of(types), Catch::Contains("brackets nest more than 100 deep here"));
}

TEST_CASE("a rule's text cut anywhere is refused or means less, and never harms") {
  const std::string text(threshold);
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    try {
      const RuleText rules = rule_text(text.substr(0, size));
      CHECK(rules.forms.size() <= 2);
    } catch (const InvalidInput& error) {
      CHECK_THAT(error.what(), Catch::Contains(": error: "));
    }
  }
}

TEST_CASE("a long line is shown around its error only") {
  const std::string message = failure_of("<opset_import: [\"\" : 18]> F (" + std::string(500, 'x') + " 3" +
                                         std::string(500, ' ') + ") => (y) {}");
  CHECK_THAT(message, Catch::Contains("…"));
  CHECK(message.size() < 500);
}

TEST_CASE("a form can be made from any function") {
  onnx::FunctionProto function;
  function.set_domain("ai.onnx");
  function.set_name("F");
  function.add_input("x");
  function.add_output("y");
  function.add_attribute("k");
  function.add_attribute("rank_of_x");
  auto* typed = function.add_attribute_proto();
  typed->set_name("alpha");
  typed->set_type(AttributeProto::FLOAT);
  auto* with_default = function.add_attribute_proto();
  with_default->set_name("beta");
  with_default->set_type(AttributeProto::FLOAT);
  with_default->set_f(0);
  auto* where = function.add_metadata_props();
  where->set_key("where");
  where->set_value("k == 1");

  const Form rule = form_from_function(function, RuleOrigin::user, "f.onnx");
  CHECK(rule.function.domain().empty());
  REQUIRE(rule.attributes.size() == 3);
  CHECK(rule.attribute("alpha")->required());
  CHECK(rule.attribute("alpha")->type == AttributeProto::FLOAT);
  CHECK(rule.default_of(*rule.attribute("beta"))->f() == 0);
  CHECK(rule.bound.size() == 1);
  CHECK(rule.where.has_value());

  // What a model's own function means, ONNX says, and not we.
  const Form local = form_from_function(function, RuleOrigin::model, "m.onnx");
  CHECK(local.bound.empty());
  CHECK(local.attributes.size() == 4);
  CHECK_FALSE(local.where.has_value());

  where->set_value("k = 1");
  CHECK_THROWS_WITH(form_from_function(function, RuleOrigin::user, "f.onnx"),
                    "f.onnx: error: in the condition of F, column 3: expected '==', found '='\n  k = 1\n    ^");
}

TEST_CASE("definitions stand before a form, and its condition after some of them") {
  const RuleText rules = rule_text(
      "[\"let\": \"a = 1; b = a + 1\", \"where\": \"b == 2\", \"let\": \"c = [a, b]\"]\n"
      "<domain: \"d\", opset_import: [\"\" : 18]>\nF (x) => (y) { y = Transpose <perm: ints = @c> (x) }");
  const Form& form = rules.forms.at(0);
  REQUIRE(form.definitions.size() == 3);
  CHECK(form.definitions[2].name() == "c");
  CHECK(form.definitions_before_where == 2);
  CHECK(rules.positions[0].definitions == std::vector<std::size_t>{8, 8, 54});
  const RuleText again = rule_text(form_text(form));
  CHECK(again.forms.at(0).definitions.size() == 3);
  CHECK(again.forms[0].definitions_before_where == 2);
  // The same from a function's metadata, but not of a model's own.
  CHECK(form_from_function(form.function, RuleOrigin::user, "f.onnx").definitions_before_where == 2);
  CHECK(form_from_function(form.function, RuleOrigin::model, "f.onnx").definitions.empty());
}

TEST_CASE("a form's text makes the form again") {
  for (const Form& form : rule_text(threshold).forms) {
    const std::string text = form_text(form);
    CAPTURE(text);
    const RuleText again = rule_text(text);
    REQUIRE(again.forms.size() == 1);
    CHECK(again.forms[0].function.SerializeAsString() == form.function.SerializeAsString());
    CHECK(signature(again.forms[0]) == signature(form));
    CHECK(again.forms[0].bound.size() == form.bound.size());
    CHECK(again.forms[0].where.has_value() == form.where.has_value());
  }
}

}  // namespace
}  // namespace onnx_lower

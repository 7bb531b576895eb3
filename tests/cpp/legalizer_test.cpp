// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legalizer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "command_line/option_values.h"
#include "lowered_model.h"
#include "onnx/checker.h"

namespace onnx_lower {
namespace {

const std::string twice =
    R"(<domain: "d", opset_import: ["" : 17]> Twice (a) => (b) { t = Add (a, a)  b = Relu (t) } )";
const std::string minus = R"(<domain: "d", opset_import: ["" : 17]> Minus (a) => (b) { b = Neg (a) } )";

TEST_CASE("a function's body takes the node's place, under the node's name") {
  const Outcome outcome =
      lower(header + "g (float[2] x) => (float[2] y) { [n] h = d.Twice (x)  y = d.Twice (h) } " + twice);
  CHECK(nodes(outcome) == "n/t = Add(x, x); h = Relu(n/t); y/t = Add(h, h); y = Relu(y/t)");
  CHECK(outcome.model.functions_size() == 0);
  CHECK(imports(outcome) == ":17 ");
  CHECK(outcome.dropped_domains == std::vector<std::string>{"d"});
  CHECK(outcome.attached_functions == 0);
  CHECK(outcome.dropped_fields.empty());
}

TEST_CASE("new names clash with no value and with no node, wherever it is") {
  const Outcome outcome = lower(header + R"(g (bool c, float[2] x) => (float[2] y, float[2] z) {
      [n] h = d.Twice (x)
      ["n/t_3"] z = If (c) <
        then_branch = a () => (float[2] p) { "n/t" = Neg (x)  p = Abs ("n/t") },
        else_branch = b () => (float[2] q) { ["n/t_2"] q = Neg (x) }>
      [n] y = d.Twice (h)
    } )" + twice);
  CHECK(nodes(outcome) == "n/t_4 = Add(x, x); h = Relu(n/t_4); z = If(c); n/t_5 = Add(h, h); y = Relu(n/t_5)");
  std::vector<std::string> names;
  for (const onnx::NodeProto& node : outcome.model.graph().node()) names.push_back(node.name());
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("a node of a body is called after its first output, and \"node\" where that is left out") {
  const Outcome made = lower(header + R"(g () => (float y) { [n] y = d.F () }
    <domain: "d", opset_import: ["" : 17]> F () => (b) { b = Constant <value_float = 1.0> () })");
  CHECK(made.model.graph().node(0).name() == "n/b");
  const Outcome left_out =
      lower(header + R"(g (float[2, 1, 3] x, float[1, 5, 3] w) => (float[1, 1, 5] y) { [n] y = d.F (x, w) }
    <domain: "d", opset_import: ["" : 17]> F (x, w) => (h) { "", h = RNN <hidden_size = 5> (x, w, w) })");
  CHECK(left_out.model.graph().node(0).name() == "n/node");
}

TEST_CASE("ten thousand nodes of one name get names of their own, also after a rule that declined") {
  std::string text = header + "g (float[2] v0) => (float[2] v10000) {";
  for (int k = 0; k < 10000; ++k) text += " [n] v" + std::to_string(k + 1) + " = d.F (v" + std::to_string(k) + ")";
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17, "nowhere" : 1]> F (a) => (b) { t = Add (a, a)  b = nowhere.G (t) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { t = Add (a, a)  b = Relu (t) })";
  const Outcome outcome = lower(text + "}", {}, rules);
  CHECK(outcome.lowered == 10000);
  CHECK(outcome.model.graph().node(0).output(0) == "n/t");
  CHECK(outcome.model.graph().node(19998).output(0) == "n/t_10000");
}

TEST_CASE("what a declined form made is taken back, names and all") {
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17, "nowhere" : 1]>
    F (c, a) => (b) { t = Add (a, a)  u = If (c) <then_branch = x () => (p) { p = Neg (t) }, else_branch = y () => (q) { q = nowhere.G (t) }>  b = Relu (u) }
    <domain: "d", opset_import: ["" : 17]> F (c, a) => (b) { t = Neg (a)  b = Relu (t) })";
  const Outcome outcome = lower(header + "g (bool c, float[2] x) => (float[2] y) { y = d.F (c, x) }", {}, rules);
  CHECK(nodes(outcome) == "y/t = Neg(x); y = Relu(y/t)");
}

TEST_CASE("what a declined form knew of a constant says nothing of the next form's constant of that name") {
  const std::string rules = R"--(
    <domain: "d", opset_import: ["" : 17, "d" : 1]> F (a) => (b) { c = Constant <value = float[2] {2.0, 3.0}> () b = d.G (a, c) }
    <domain: "d", opset_import: ["" : 17, "d" : 1]> F (a) => (b) { c = Constant <value = float {3.0}> () b = d.H (a, c) }
    ["where": "rank(c) == 5"] <domain: "d", opset_import: ["" : 17]> G (a, c) => (b) { b = Mul (a, c) }
    ["where": "rank(c) == 0"] <domain: "d", opset_import: ["" : 17]> H (a, c) => (b) { b = Mul (a, c) })--";
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { y = d.F (x) }", {}, rules)) ==
        "y/c = Constant(); y = Mul(x, y/c)");
}

TEST_CASE("what a declined form made as an initializer says nothing of the next form's initializer of that name") {
  // Before opset 9 a Constant holds floating-point numbers only.
  LegalizeOptions options;
  options.fold = true;
  const std::string rules = R"--(
    <domain: "d", opset_import: ["" : 8, "d" : 1]> F (a) => (b) { c = Shape (a)  b = d.G (a, c) }
    <domain: "d", opset_import: ["" : 8, "d" : 1]> F (a) => (b) { c = Size (a)  b = d.H (a, c) }
    ["where": "rank(c) == 5"] <domain: "d", opset_import: ["" : 8]> G (a, c) => (b) { b = Expand (a, c) }
    ["where": "rank(c) == 0"] <domain: "d", opset_import: ["" : 8]> H (a, c) => (b) { b = Neg (a) })--";
  const Outcome outcome =
      lower(R"(<ir_version: 8, opset_import: ["" : 8, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) })",
            options, rules);
  CHECK(outcome.reasons == "");
  CHECK(nodes(outcome) == "y = Neg(x)");
}

TEST_CASE("attributes go through several levels, with each level's default where it is not given") {
  const std::string functions = R"(
    <domain: "d", opset_import: ["" : 17]> Leaf <alpha: float = 3.0> (a) => (b) { b = Elu <alpha: float = @alpha> (a) }
    <domain: "d", opset_import: ["d" : 1]> Top <beta> (a) => (b) { t = d.Leaf <alpha: float = @beta> (a)  b = d.Leaf (t) })";
  const auto alphas = [&](const std::string& call) {
    const Outcome outcome = lower(header + "g (float[2] x) => (float[2] y) { y = " + call + " (x) } " + functions);
    std::string text;
    for (const onnx::NodeProto& node : outcome.model.graph().node())
      text += std::to_string(static_cast<int>(node.attribute(0).f())) + " ";
    return text;
  };
  CHECK(alphas("d.Top <beta = 5.0>") == "5 3 ");
  CHECK(alphas("d.Top") == "3 3 ");
}

TEST_CASE("inputs left out, in the middle and at the end, through two functions") {
  const std::string functions = R"(
    <domain: "d", opset_import: ["" : 17]> Inner (a, lo, hi) => (b) { b = Clip (a, lo, hi) }
    <domain: "d", opset_import: ["d" : 1]> Outer (a, lo, hi) => (b) { b = d.Inner (a, lo, hi) })";
  const auto with = [&](const std::string& call) {
    return nodes(lower(header + "g (float[2] x, float h) => (float[2] y) { y = d.Outer " + call + " } " + functions));
  };
  CHECK(with("(x, , h)") == "y = Clip(x, , h)");
  CHECK(with("(x)") == "y = Clip(x)");
  CHECK(with("(x, h)") == "y = Clip(x, h)");
}

TEST_CASE("outputs that nobody asks for are not made") {
  const std::string both =
      R"(<domain: "d", opset_import: ["" : 17]> Both (a) => (p, q) { p = Relu (a)  t = Neg (a)  q = Relu (t) })";
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { y = d.Both (x) } " + both)) == "y = Relu(x)");
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { , y = d.Both (x) } " + both)) ==
        "y/t = Neg(x); y = Relu(y/t)");
}

TEST_CASE("an output that is an input, or another output, is a value of its own") {
  const std::string functions =
      R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b, b, a) { a_output1 = Neg (a)  b = Relu (a_output1) })";
  const Outcome outcome =
      lower(header + "g (float[2] x) => (float[2] p, float[2] q, float[2] r) { p, q, r = d.F (x) } " + functions);
  CHECK(nodes(outcome) == "p/a_output1 = Neg(x); p = Relu(p/a_output1); q = Identity(p); r = Identity(x)");
}

TEST_CASE("of what a body's node gives on as it is, nothing remains") {
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17]> Same (a) => (a) { }
    <domain: "d", opset_import: ["" : 17, "d" : 1]> F (a) => (b) { s = d.Same (a)  t = d.Same (s)  b = Relu (t) })";
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { y = d.F (x) }", {}, rules)) == "y = Relu(x)");
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { y = d.Same (x) }", {}, rules)) == "y = Identity(x)");
}

TEST_CASE("an attribute may have the suffix that torch's symbolics give it") {
  const std::string rule =
      "<domain: \"d\", opset_import: [\"\" : 17]> F <alpha: float, axis: int = 0> (a) => (b) { t = Elu <alpha: float = "
      "@alpha> (a)  b = Softmax <axis: int = @axis> (t) }";
  const auto lowered = [&](const std::string& attributes) {
    const Outcome outcome =
        lower(header + "g (float[2, 2] x) => (float[2, 2] y) { [n] y = d.F <" + attributes + "> (x) }", {}, rule);
    if (!outcome.unlowered.empty()) return outcome.reasons;
    const auto& made = outcome.model.graph().node();
    return std::to_string(static_cast<int>(made[0].attribute(0).f())) + " " + std::to_string(made[1].attribute(0).i());
  };
  CHECK(lowered("alpha_f = 2.0, axis_i = 1") == "2 1");
  CHECK(lowered("alpha_f = 2.0") == "2 0");
  CHECK_THAT(lowered("alpha_i = 2.0"), Catch::Contains("the rule does not know attribute 'alpha_i'"));
  CHECK_THAT(lowered("alpha_f = \"2\""), Catch::Contains("the rule does not know attribute 'alpha_f'"));
  CHECK_THAT(lowered("alpha_f = 2.0, alpha = 3.0"), Catch::Contains("the rule does not know attribute 'alpha_f'"));
  CHECK_THAT(lowered("axis_i = 1"), Catch::Contains("attribute 'alpha' is missing"));
}

TEST_CASE("calls in bodies, and bodies in functions, see the right values") {
  const std::string functions = R"(
    <domain: "d", opset_import: ["" : 17, "d" : 1]>
    F (c, a) => (b) {
      m = Neg (a)
      b = If (c) <then_branch = t () => (m2) { m2 = d.Twice (m) }, else_branch = e () => (m2) { k = Abs (a)  m2 = Add (k, m) }>
    } )";
  const Outcome outcome = lower(header + R"(g (bool c, float[2] x) => (float[2] y) {
      m = Abs (x)
      y = If (c) <then_branch = t () => (float[2] p) { p = d.F (c, m) }, else_branch = e () => (float[2] q) { q = Identity (m) }>
    } )" + functions + twice);
  const onnx::GraphProto& branch = body(outcome.model.graph().node(1), "then_branch");
  CHECK(nodes(branch) == "p/m = Neg(m); p = If(c)");
  CHECK(nodes(body(branch.node(1), "then_branch")) == "p/m2/t = Add(p/m, p/m); p/m2 = Relu(p/m2/t)");
  CHECK(body(branch.node(1), "then_branch").output(0).name() == "p/m2");
  CHECK(nodes(body(branch.node(1), "else_branch")) == "p/k = Abs(m); p/m2_2 = Add(p/k, p/m)");
  CHECK(imports(outcome) == ":17 ");
}

TEST_CASE("a graph that comes by an attribute reference is the caller's, and is legalized") {
  onnx::ModelProto model = parsed(header +
                                  "g (bool c, float[2] x) => (float[2] y) { y = d.F (c) } <domain: \"d\", "
                                  "opset_import: [\"\" : 17]> F (c) => (b) { b = Identity (c) } " +
                                  twice);
  onnx::FunctionProto& function = *model.mutable_functions(0);
  function.add_attribute("body");
  onnx::NodeProto& node = *function.mutable_node(0);
  node.set_op_type("If");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_ref_attr_name("body");
    attribute.set_type(onnx::AttributeProto::GRAPH);
  }
  onnx::AttributeProto& given = *model.mutable_graph()->mutable_node(0)->add_attribute();
  given.set_name("body");
  given.set_type(onnx::AttributeProto::GRAPH);
  *given.mutable_g() = parsed(header + "g () => (float[2] p) { p = d.Twice (x) }").graph();
  const Outcome outcome = lower_bytes(model.SerializeAsString());
  CHECK(nodes(outcome) == "y = If(c)");
  CHECK(nodes(body(outcome.model.graph().node(0), "then_branch")) == "p/t = Add(x, x); p = Relu(p/t)");
  CHECK(imports(outcome) == ":17 ");
}

TEST_CASE("a function or a user's rule that comes round to itself is an error that names the way") {
  const std::string graph = header + "g (float[2] x) => (float[2] y) { y = d.A (x) } ";
  CHECK_THAT(
      error_of(
          graph +
          R"(<domain: "d", opset_import: ["d" : 1]> A (a) => (b) { b = d.B (a) } <domain: "d", opset_import: ["d" : 1]> B (a) => (b) { b = d.A (a) })"),
      Catch::Contains("d::A -> d::B -> d::A"));
  CHECK_THAT(error_of(graph, R"(<domain: "d", opset_import: ["d" : 1]> A (a) => (b) { b = d.A (a) })"),
             Catch::Contains("d::A -> d::A"));
  // A form whose condition does not hold the second time does not come round to itself.
  CHECK(
      nodes(lower(
          graph, {},
          R"(["where": "dtype(a) == float"] <domain: "d", opset_import: ["" : 17, "d" : 1]> A (a) => (b) { c = Cast <to = 11> (a)  e = d.A (c)  b = Cast <to = 1> (e) }
               ["where": "dtype(a) == double"] <domain: "d", opset_import: ["" : 17]> A (a) => (b) { b = Relu (a) })")) ==
      "y/c = Cast(x); y/e = Relu(y/c); y = Cast(y/e)");
  // Unless nobody calls it.
  const Outcome unused = lower(
      header +
      R"(g (float[2] x) => (float[2] y) { y = Relu (x) } <domain: "d", opset_import: ["d" : 1]> A (a) => (b) { b = d.A (a) })");
  CHECK(unused.model.functions_size() == 0);
  CHECK(imports(unused) == ":17 ");
}

TEST_CASE("functions may call one another hundreds deep, but not make more nodes than memory holds") {
  std::string chain = R"(<domain: "d", opset_import: ["" : 17]> F0 (a) => (b) { b = Relu (a) } )";
  std::string laughs = chain;
  for (int k = 1; k < 250; ++k) {
    const std::string head = R"(<domain: "d", opset_import: ["d" : 1]> F)" + std::to_string(k) + " (a) => (b) { ";
    const std::string call = "d.F" + std::to_string(k - 1);
    chain += head + "b = " + call + " (a) } ";
    if (k < 64) laughs += head + "m = " + call + " (a)  b = " + call + " (m) } ";
  }
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { y = d.F249 (x) } " + chain)) == "y = Relu(x)");
  CHECK_THAT(error_of(header + "g (float[2] x) => (float[2] y) { y = d.F63 (x) } " + laughs),
             Catch::Contains("make more than"));
}

TEST_CASE("what functions and rules would make is reckoned before anything is made") {
  // Once more than memory holds: each calls the one before twice, once in a branch.
  std::string laughs = R"(<domain: "d", opset_import: ["" : 17]> F0 (c, a) => (b) { b = Relu (a) } )";
  for (int k = 1; k < 64; ++k) {
    const std::string call = "d.F" + std::to_string(k - 1);
    laughs += R"(<domain: "d", opset_import: ["" : 17, "d" : 1]> F)" + std::to_string(k) +
              " (c, a) => (b) { m = " + call + " (c, a)  b = If (c) <then_branch = x () => (p) { p = " + call +
              " (c, m) }, else_branch = y () => (q) { q = Identity (m) }> } ";
  }
  const std::string graph = "g (bool c, float[2] x) => (float[2] y) { y = d.F63 (c, x) }";
  const TemporaryFolder folder("expansion_size");
  // How many names are made before it is refused; -1 when it is not.
  const auto made = [&](const LegalizeOptions& options, bool as_rules) -> int64_t {
    RuleLibrary library;
    if (as_rules) library.add_user_rules(folder.write("rules.onnxtxt", laughs));
    Model model =
        read_model(folder.write("model.onnx", parsed(header + graph + (as_rules ? "" : laughs)).SerializeAsString()));
    const size_t names = model.values().size();
    try {
      legalize(model, library, options);
    } catch (const InvalidInput& error) {
      CHECK_THAT(error.what(), Catch::Contains("make more than"));
      return static_cast<int64_t>(model.values().size() - names);
    }
    return -1;
  };
  CHECK(made({}, false) == 0);
  CHECK(made({}, true) == 0);
  // What is kept makes nothing.
  LegalizeOptions keeping;
  keeping.kept = {{.domain = "d", .op_type = "F63"}};
  CHECK(made(keeping, true) == -1);
}

TEST_CASE("the model's own function goes before a built-in rule, a user's rule before both") {
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17, "custom" : 1]>
    g (float[2] x, float[2] w) => (float[2] y) { y = custom.my_add (x, w) }
    <domain: "custom", opset_import: ["" : 17]> my_add (a, b, c) => (o) { o = Sub (a, b) })";
  CHECK(nodes(lower(text)) == "y = Sub(x, w)");
  CHECK(nodes(lower(text, {},
                    R"(<domain: "custom", opset_import: ["" : 17]> my_add (a, b) => (o) { o = Div (a, b) })")) ==
        "y = Div(x, w)");
}

TEST_CASE("overloads are functions of their own") {
  onnx::ModelProto model = parsed(
      R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { h = d.F (x)  y = d.F (h) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) } <domain: "d", opset_import: ["" : 17], overload: "relu"> F (a) => (b) { b = Relu (a) })");
  model.mutable_graph()->mutable_node(1)->set_overload("relu");
  CHECK(nodes(lower_bytes(model.SerializeAsString())) == "h = Neg(x); y = Relu(h)");
}

TEST_CASE("a user's rule replaces a standard operator") {
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { y = Relu (x) }", {},
                    R"(<domain: "", opset_import: ["" : 17]> Relu (a) => (b) { z = Sub (a, a)  b = Max (a, z) })")) ==
        "y/z = Sub(x, x); y = Max(x, y/z)");
}

TEST_CASE("a function means the operators of its own imports") {
  const std::string graph = "g (float[2] x) => (float[1, 2] y) { y = d.F (x) } ";
  const std::string older = R"(<domain: "d", opset_import: ["" : 11]> F (a) => (b) { b = Unsqueeze <axes = [0]> (a) })";
  const Outcome newer_model = lower(header + graph + older);
  CHECK(newer_model.unlowered.empty());
  CHECK(newer_model.model.graph().node(newer_model.model.graph().node_size() - 1).input_size() == 2);
  CHECK_THROWS_WITH(
      lower(header + "g (float[2] x) => (float[2] y) { y = d.F (x) } <domain: \"d\", opset_import: []> F (a) => (b) { "
                     "b = Relu (a) }"),
      Catch::Contains("(ai.onnx::Relu) that makes 'b' is of an operator set that the function does not import"));
}

TEST_CASE("domains that are spelt out") {
  SECTION("in imports and nodes: the checker and OpenVINO do not know the domain of such a node") {
    onnx::ModelProto model = parsed(
        R"(<ir_version: 8, opset_import: ["ai.onnx" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { h = d.Twice (x)  y = Abs (h) } )" +
        twice);
    model.mutable_graph()->mutable_node(1)->set_domain("ai.onnx");
    const Outcome outcome = lower_bytes(model.SerializeAsString());
    CHECK(nodes(outcome) == "h/t = Add(x, x); h = Relu(h/t); y = Abs(h)");
    CHECK(imports(outcome) == "ai.onnx:17 ");
    CHECK_NOTHROW(onnx::checker::check_model(outcome.model));
  }
  SECTION("in a function") {
    onnx::ModelProto model = parsed(header + "g (float[2] x) => (float[2] y) { y = d.Twice (x) } " + twice);
    model.mutable_functions(0)->mutable_opset_import(0)->set_domain("ai.onnx");
    for (onnx::NodeProto& node : *model.mutable_functions(0)->mutable_node()) node.set_domain("ai.onnx");
    CHECK(nodes(lower_bytes(model.SerializeAsString())) == "y/t = Add(x, x); y = Relu(y/t)");
  }
}

TEST_CASE("a model without the import of a domain that it uses, or without ai.onnx's") {
  const std::string graph = "g (float[2] x) => (float[2] y) { y = d.Twice (x) } ";
  CHECK(imports(lower(R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph + twice)) == ":17 ");
  CHECK(imports(lower(R"(<ir_version: 8, opset_import: ["d" : 1]> )" + graph + twice)) == ":18 ");
  CHECK(imports(lower(R"(<ir_version: 8, opset_import: ["" : 17, "unused" : 3, "ai.onnx.ml" : 3]> )" + graph +
                      twice)) == ":17 ");
}

TEST_CASE("what is kept stays, with its function, that function's functions and their imports") {
  LegalizeOptions options;
  const std::string functions = R"(
    <domain: "d", opset_import: ["" : 17]> Leaf (a) => (b) { b = Relu (a) }
    <domain: "d", opset_import: ["" : 17, "e" : 1]> Mid (a) => (b) { t = e.Gone (a)  b = Neg (t) }
    <domain: "e", opset_import: ["" : 17]> Gone (a) => (b) { b = Abs (a) }
    <domain: "e", opset_import: ["d" : 1]> Top (a) => (b) { t = d.Mid (a)  b = d.Mid (t) })";
  options.kept = {{.domain = "d", .op_type = ""}};
  const Outcome outcome =
      lower(R"(<ir_version: 8, opset_import: ["" : 17, "e" : 1]> g (float[2] x) => (float[2] y) { y = e.Top (x) } )" +
                functions,
            options);
  CHECK(nodes(outcome) == "y/t = d.Mid(x); y = d.Mid(y/t)");
  REQUIRE(outcome.model.functions_size() == 1);
  CHECK(outcome.model.functions(0).name() == "Mid");
  CHECK(outcome.model.functions(0).node(0).op_type() == "Abs");
  CHECK(imports(outcome) == ":17 d:1 ");
}

TEST_CASE("a node that nothing lowers is named, and the rest is lowered all the same") {
  const Outcome outcome = lower(
      header + R"(g (float[2] x) => (float[2] y) { [a] h = d.Unknown (x)  k = d.Twice (h)  y = d.Calls (k) } )" +
      twice + R"(<domain: "d", opset_import: ["d" : 1]> Calls (a) => (b) { t = d.Twice (a)  b = d.Unknown (t) })");
  CHECK(outcome.unlowered == std::vector<std::string>{"a", "y", "b"});
  // What stays of the function imports what its new nodes need.
  REQUIRE(outcome.model.functions_size() == 1);
  CHECK(outcome.model.functions(0).opset_import_size() == 2);
  CHECK(nodes(outcome) == "h = d.Unknown(x); k/t = Add(h, h); k = Relu(k/t); y = d.Calls(k)");
  CHECK(imports(outcome) == ":17 d:1 ");
}

TEST_CASE("new nodes say where they come from, where the IR version has a place for it") {
  const std::string graph =
      R"(, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { [n] y = d.Twice (x) } )" + twice;
  const Outcome newer = lower("<ir_version: 10" + graph);
  for (const onnx::NodeProto& node : newer.model.graph().node()) {
    REQUIRE(node.metadata_props_size() == 2);
    CHECK(node.metadata_props(0).key() == "onnx_lower.rule");
    CHECK(node.metadata_props(0).value() == "d::Twice");
    CHECK(node.metadata_props(1).value() == "n");
  }
  const Outcome several = lower(
      R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y)
      { [a] a = d.Twice (x) [b] b = d.Minus (a) [c] y = d.Twice (b) } )" +
      twice + minus);
  for (const onnx::NodeProto& node : several.model.graph().node())
    CHECK(node.metadata_props(0).value() == (node.metadata_props(1).value() == "b" ? "d::Minus" : "d::Twice"));
  const Outcome older = lower("<ir_version: 9" + graph);
  for (const onnx::NodeProto& node : older.model.graph().node()) CHECK(node.metadata_props_size() == 0);
}

TEST_CASE("an initializer is a constant unless a caller may replace it") {
  const std::string rule =
      R"--(["where": "constant(k)"] <domain: "d", opset_import: ["" : 17]> F (a, k) => (b) { b = Add (a, k) })--";
  const auto is_lowered = [&](int ir_version, const std::string& inputs, const std::string& initializers) {
    return lower("<ir_version: " + std::to_string(ir_version) + R"(, opset_import: ["" : 8, "d" : 1]> g ()" + inputs +
                     ") => (float[2] y) " + initializers + " { y = d.F (x, k) }",
                 {}, rule)
        .unlowered.empty();
  };
  CHECK(is_lowered(4, "float[2] x", "<float[2] k = {1, 2}>"));
  CHECK_FALSE(is_lowered(4, "float[2] x, float[2] k = {1, 2}", ""));
  // Below 4 every initializer had to be an input too, and no runtime lets a caller replace it.
  CHECK(is_lowered(3, "float[2] x, float[2] k = {1, 2}", ""));
  // What lies in another file is not read.
  for (const int ir_version : {3, 4}) {
    onnx::ModelProto model =
        parsed("<ir_version: " + std::to_string(ir_version) + R"(, opset_import: ["" : 8, "d" : 1]> g (float[2] x)" +
               (ir_version == 3 ? ", float[2] k" : "") + ") => (float[2] y) <float[2] k = {1, 2}> { y = d.F (x, k) }");
    CHECK(lower_bytes(model.SerializeAsString(), {}, rule).unlowered.empty());
    onnx::TensorProto& tensor = *model.mutable_graph()->mutable_initializer(0);
    tensor.clear_float_data();
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    auto& location = *tensor.add_external_data();
    location.set_key("location");
    location.set_value("w.bin");
    CHECK_FALSE(lower_bytes(model.SerializeAsString(), {}, rule).unlowered.empty());
  }
}

TEST_CASE("settings go onto the nodes of an operator or of a name, and unused ones are told") {
  const std::string functions =
      R"(<domain: "d", opset_import: ["" : 17]> F <alpha> (a) => (b) { b = Elu <alpha: float = @alpha> (a) })";
  LegalizeOptions options;
  options.settings = {parse_attribute_setting("d::F.alpha=2.0"), parse_attribute_setting("node:n.alpha=3.0")};
  const Outcome outcome =
      lower(header + "g (float[2] x) => (float[2] y) { h = d.F (x)  [n] y = d.F (h) } " + functions, options);
  CHECK(outcome.model.graph().node(0).attribute(0).f() == 2);
  CHECK(outcome.model.graph().node(1).attribute(0).f() == 3);
  // A node without a name goes by its first output.
  options.settings.back().node_name = "y";
  const Outcome unnamed =
      lower(header + "g (float[2] x) => (float[2] y) { h = d.F (x)  y = d.F (h) } " + functions, options);
  CHECK(unnamed.model.graph().node(0).attribute(0).f() == 2);
  CHECK(unnamed.model.graph().node(1).attribute(0).f() == 3);
  options.settings.back().node_name = "n";

  // A rule may say its operator in other words of its own; what is set is for the model's node.
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17, "d" : 1]> F <alpha> (a) => (b) { k = Constant <value_float = 7.0> ()  b = d.F (a, k) }
    <domain: "d", opset_import: ["" : 17]> F (a, k) => (b) { b = Mul (a, k) })";
  CHECK(nodes(lower(header + "g (float[2] x) => (float[2] y) { [n] y = d.F (x) }", options, rules)) ==
        "n/k = Constant(); y = Mul(x, n/k)");
}

TEST_CASE("a model that has nothing to lower comes out byte for byte") {
  for (const char* text :
       {R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu (x) })",
        R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] x) { })",
        R"(<ir_version: 8, opset_import: ["" : 17]> g () => () { })"}) {
    const std::string bytes = parsed(text).SerializeAsString();
    CHECK(lower_bytes(bytes).bytes == bytes);
  }
}

TEST_CASE("a rule for an overload is for nodes of it") {
  onnx::ModelProto model = parsed(R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1]>
    g (float[2] x) => (float[2] y) { h = d.F (x)  y = d.F (h) })");
  model.mutable_graph()->mutable_node(1)->set_overload("other");
  const Outcome outcome =
      lower_bytes(model.SerializeAsString(), {},
                  R"(<domain: "d", opset_import: ["" : 17], overload: "other"> F (a) => (b) { b = Relu (a) })");
  CHECK(nodes(outcome) == "h = d.F(x); y = Relu(h)");
  CHECK_THAT(outcome.reasons, Catch::Contains("it is for the overload 'other'"));
}

TEST_CASE("of a rule's forms the one with the node's number of inputs is tried first") {
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17]> F (a, low) => (b) { b = Clip (a, low) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (a) })";
  CHECK(nodes(lower(header + "g (float[2] x, float l) => (float[2] y) { h = d.F (x)  y = d.F (h, l) }", {}, rules)) ==
        "h = Relu(x); y = Clip(h, l)");
}

TEST_CASE("thousands of functions, each with a body of its own, are told apart") {
  std::string text = header + "g (float[2] v0) => (float[2] v3000) {";
  std::string functions;
  std::string expected;
  for (int k = 0; k < 3000; ++k) {
    const std::string op = k % 3 == 0 ? "Neg" : k % 3 == 1 ? "Abs" : "Relu";
    const std::string in = "v" + std::to_string(k), out = "v" + std::to_string(k + 1);
    text += " " + out + " = d.F" + std::to_string(k) + " (" + in + ")";
    functions +=
        R"(<domain: "d", opset_import: ["" : 17]> F)" + std::to_string(k) + " (a) => (b) { b = " + op + " (a) }\n";
    expected += (k == 0 ? "" : "; ") + out + " = " + op + "(" + in + ")";
  }
  CHECK(nodes(lower(text + "} " + functions)) == expected);
}

TEST_CASE("thousands of functions that call one another are told apart") {
  std::string text = header + "g (float[2] v0) => (float[2] v1500) {";
  std::string functions, expected;
  for (int k = 0; k < 1500; ++k) {
    const std::string number = std::to_string(k), in = "v" + number, out = "v" + std::to_string(k + 1);
    const std::string op = k % 3 == 0 ? "Neg" : k % 3 == 1 ? "Abs" : "Relu";
    text += " " + out + " = d.F" + number + " (" + in + ")";
    functions += R"(<domain: "d", opset_import: ["" : 17, "d" : 1]> F)" + number + " (a) => (b) { t = d.G" + number +
                 " (a)  b = Exp (t) }\n" + R"(<domain: "d", opset_import: ["" : 17]> G)" + number +
                 " (a) => (b) { b = " + op + " (a) }\n";
    expected += (k == 0 ? "" : "; ") + out + "/t = " + op + "(" + in + "); " + out + " = Exp(" + out + "/t)";
  }
  CHECK(nodes(lower(text + "} " + functions)) == expected);
}

TEST_CASE("a value that only a branch takes is made, also where not all outputs are wanted") {
  const std::string rule = R"(<domain: "d", opset_import: ["" : 17]> F (c, a) => (p, q) {
      t = Neg (a)  u = Abs (a)
      p = If (c) <then_branch = x () => (r) { r = Relu (t) }, else_branch = y () => (s) { s = Identity (a) }>
      q = Exp (u) })";
  const Outcome outcome = lower(header + "g (bool c, float[2] x) => (float[2] y) { y = d.F (c, x) }", {}, rule);
  CHECK(nodes(outcome) == "y/t = Neg(x); y = If(c)");
  CHECK(body(outcome.model.graph().node(1), "then_branch").node(0).input(0) == "y/t");
}

TEST_CASE("a rule knows what reads its node's output, also where that is not what the graph gives") {
  const std::string rules = R"--(
    ["where": "read_by(b, Neg)"] <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Abs (a) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Exp (a) })--";
  const auto lowered = [&](const std::string& readers) {
    return nodes(lower(header + "g (float[2] x) => (float[2] y) { h = d.F (x) " + readers + " }", {}, rules));
  };
  CHECK(lowered("t = Neg (h)  y = Relu (t)") == "h = Abs(x); t = Neg(h); y = Relu(t)");
  CHECK(lowered("t = Relu (h)  y = Neg (t)") == "h = Exp(x); t = Relu(h); y = Neg(t)");
  CHECK(lowered("t = Neg (h)  y = Relu (h)") == "h = Exp(x); t = Neg(h); y = Relu(h)");
}

TEST_CASE("a rule takes the tensors of a list that was only given on") {
  const Outcome outcome = lower(R"(<ir_version: 10, opset_import: ["" : 17, "aten" : 1]>
    g (float[2] x, float[3] w) => (float[n, m] y) {
      l = SequenceConstruct (x, w)  k = Identity (l)  y = aten.cartesian_prod (k) })");
  CHECK(outcome.lowered == 1);
  CHECK(outcome.unlowered.empty());
}

TEST_CASE("a cast to the type that a value has is left out") {
  const std::string rule =
      R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { t = Cast <to = 1> (a)  b = Relu (t) })";
  const auto lowered = [&](const std::string& type) {
    return nodes(lower(header + "g (" + type + "[2] x) => (float[2] y) { y = d.F (x) }", {}, rule));
  };
  CHECK(lowered("float") == "y = Relu(x)");
  CHECK(lowered("double") == "y/t = Cast(x); y = Relu(y/t)");
}

TEST_CASE("a node of an unknown operator has the inputs that a rule gives it, if only none") {
  LegalizeOptions options;
  options.kept = {{.domain = "d", .op_type = "Kept"}};
  const Outcome outcome = lower(
      header + "g (float[2] x) => (float[2] y) { y = d.F (x) }", options,
      R"(<domain: "d", opset_import: ["" : 17, "d" : 1]> F (a, c) => (b) { t = d.Kept ()  u = d.Kept (a, c)  b = Add (t, u) })");
  CHECK(nodes(outcome) == "y/t = d.Kept(); y/u = d.Kept(x); y = Add(y/t, y/u)");
  CHECK(outcome.model.graph().node(0).input_size() == 0);
  CHECK(outcome.model.graph().node(1).input_size() == 1);
}

TEST_CASE("what one form of a rule says of an attribute is nothing to the next form") {
  const Outcome outcome = lower(header + "g (float[2] x) => (float[2] y) { y = d.F (x) }", {}, R"(
    <domain: "d", opset_import: ["" : 17, "nowhere" : 1]> F <alpha: float = 3.0> (a) => (b) { t = Elu <alpha: float = @alpha> (a)  b = nowhere.G (t) }
    <domain: "d", opset_import: ["" : 17]> F <alpha: float = 5.0> (a) => (b) { b = Elu <alpha: float = @alpha> (a) })");
  CHECK(nodes(outcome) == "y = Elu(x)");
  CHECK(outcome.model.graph().node(0).attribute(0).f() == 5);
}

TEST_CASE("an operator that rules avoid stays where the model itself has it") {
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 19]> g (float[1, 1, 3, 3] x, float[1, 1, 2, 2] w, float[1, 8, 2, 2] o) => (float[1, 1, 2, 2] y) {
        y = DeformConv (x, w, o) })";
  const Outcome outcome = lower(text);
  CHECK(nodes(outcome) == "y = DeformConv(x, w, o)");
  CHECK(outcome.lowered == 0);
}

TEST_CASE("a body's attributes come from the node, or are left out") {
  const std::string function = R"(<domain: "d", opset_import: ["" : 17]> F <alpha> (c, a) => (b) {
      b = If (c) <then_branch = x () => (p) { p = Elu <alpha: float = @alpha> (a) }, else_branch = y () => (q) { q = Identity (a) }> })";
  const auto attributes = [&](const std::string& call) {
    const Outcome outcome =
        lower(header + "g (bool c, float[2] x) => (float[2] y) { y = d.F " + call + " (c, x) } " + function);
    std::string text;
    for (const auto& attribute : body(outcome.model.graph().node(0), "then_branch").node(0).attribute())
      text += attribute.name() + " " + onnx::AttributeProto::AttributeType_Name(attribute.type()) + " " +
              std::to_string(attribute.f()) + attribute.ref_attr_name();
    return text;
  };
  CHECK(attributes("<alpha = 2.0>") == "alpha FLOAT 2.000000");
  CHECK(attributes("<alpha = 2>") == "alpha FLOAT 2.000000");
  CHECK(attributes("") == "");
}

TEST_CASE("the body of a loop says of what types its inputs are") {
  const std::string text = header + R"(g (int64 n, bool k, float[2] x) => (float[2] y, float[2] z) {
      u = other.Unknown (x)
      y, z = Loop (n, k, x, u) <body = b (i, c, s, t) => (co, so, to) { co = Identity (c)  so = d.Twice (s)  to = Identity (t) }>
    } )";
  const Outcome outcome = lower("<ir_version: 8, opset_import: [\"\" : 17, \"d\" : 1, \"other\" : 1]> " +
                                text.substr(header.size()) + twice);
  const onnx::GraphProto& loop = body(outcome.model.graph().node(1), "body");
  const auto& index = loop.input(0).type().tensor_type();
  CHECK(index.elem_type() == onnx::TensorProto::INT64);
  CHECK(index.has_shape());
  CHECK(index.shape().dim_size() == 0);
  CHECK(loop.input(1).type().tensor_type().elem_type() == onnx::TensorProto::BOOL);
  CHECK(loop.input(1).type().tensor_type().has_shape());
  CHECK(loop.input(2).type().tensor_type().elem_type() == onnx::TensorProto::FLOAT);
  CHECK_FALSE(loop.input(3).has_type());
}

TEST_CASE("what passes through the body of a Scan, or out of a branch, keeps its element type") {
  // A CastLike is a Cast where the type that it takes is known.
  const std::string rule = R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) {
    c = Constant <value = float {2.0}> ()  k = CastLike (c, a)  b = Mul (a, k) })";
  const Outcome scan = lower(R"(<ir_version: 5, opset_import: ["" : 10, "d" : 1]>
    g (float[2] s, int64[3, 2] x) => (float[2] t, int64[3, 2] y) {
      t, y = Scan <num_scan_inputs = 1, body = b (i, e) => (o, p) { o = d.F (i)  p = d.F (e) }> (s, x) })",
                             {}, rule);
  CHECK(nodes(body(scan.model.graph().node(0), "body")) ==
        "o/c = Constant(); o = Mul(i, o/c); p/c = Constant(); p/k = Cast(p/c); p = Mul(e, p/k)");
  const Outcome branches = lower(header + R"(g (bool c, float[2] x, int64[2] n) => (float[2] y, z) {
      y, t = If (c) <then_branch = p () => (u, v) { u = Relu (x)  v = d.G (n) },
                     else_branch = q () => (u2, v2) { u2 = Neg (x)  v2 = Identity (n) }>
      z = d.F (t) })",
                                 {}, rule + R"(<domain: "d", opset_import: ["" : 17]> G (a) => (b) { b = Abs (a) })");
  CHECK(nodes(branches) == "y, t = If(c); z/c = Constant(); z/k = Cast(z/c); z = Mul(t, z/k)");
}

TEST_CASE("what was declared of a value that a rule makes is corrected") {
  const Outcome outcome =
      lower(header + "g (float[2] x) => (int64[2] y) <int32[2] h> { h = d.F (x)  y = d.G (h) }", {}, R"(
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Cast <to = 1> (a) }
    <domain: "d", opset_import: ["" : 17]> G (a) => (b) { b = Cast <to = 7> (a) })");
  CHECK(outcome.contradicted == std::vector<std::string>{"h"});
  CHECK(outcome.model.graph().value_info_size() == 0);
  CHECK(outcome.model.graph().output(0).type().tensor_type().elem_type() == onnx::TensorProto::INT64);
}

TEST_CASE("sparse initializers become dense where a rule was at work") {
  const auto with = [](const std::vector<int64_t>& dims, const std::vector<int64_t>& index_dims,
                       const std::vector<int64_t>& indices) {
    onnx::ModelProto model =
        parsed(header + "g (float[2] x, float w) => (float[2] y) { h = d.Twice (x)  y = Add (h, w) } " + twice);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.mutable_input()->RemoveLast();
    onnx::SparseTensorProto& sparse = *graph.add_sparse_initializer();
    sparse.mutable_values()->set_name("w");
    sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
    sparse.mutable_values()->add_dims(2);
    for (const float value : {5.0F, 6.0F}) sparse.mutable_values()->add_float_data(value);
    sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
    for (const int64_t dim : index_dims) sparse.mutable_indices()->add_dims(dim);
    for (const int64_t index : indices) sparse.mutable_indices()->add_int64_data(index);
    for (const int64_t dim : dims) sparse.add_dims(dim);
    std::string text;
    try {
      const Outcome outcome = lower_bytes(model.SerializeAsString());
      const onnx::TensorProto& dense = outcome.model.graph().initializer(0);
      for (size_t at = 0; at < dense.raw_data().size(); at += sizeof(float)) {
        float value = 0;
        std::memcpy(&value, dense.raw_data().data() + at, sizeof(float));
        text += std::to_string(static_cast<int>(value)) + " ";
      }
    } catch (const InvalidInput& error) {
      text = error.what();
    }
    return text;
  };
  CHECK(with({5}, {2}, {1, 4}) == "0 5 0 0 6 ");
  CHECK(with({2, 3}, {2, 2}, {0, 2, 1, 0}) == "0 0 5 6 0 0 ");
  CHECK_THAT(with({5}, {2}, {1, 5}), Catch::Contains("has the index 5, which is out of its shape"));
  CHECK_THAT(with({5}, {2}, {-1, 4}), Catch::Contains("has the index -1, which is out of its shape"));
  CHECK_THAT(with({0}, {2}, {0, 1}), Catch::Contains("has the index 0, which is out of its shape"));
  CHECK_THAT(with({2, 3}, {2, 2}, {0, 3, 1, 0}), Catch::Contains("has the index 3, which is out of its shape"));
  CHECK_THAT(with({-5}, {2}, {1, 4}), Catch::Contains("is too large to be made dense"));
}

TEST_CASE("a setting that a node takes is used") {
  LegalizeOptions options;
  options.settings = {parse_attribute_setting("d::F.alpha=2"), parse_attribute_setting("d::Other.alpha=2")};
  const Outcome outcome =
      lower(header + "g (float[2] x) => (float[2] y) { y = d.F (x) }", options,
            R"(<domain: "d", opset_import: ["" : 17]> F <alpha> (a) => (b) { b = Elu <alpha: float = @alpha> (a) })");
  CHECK(outcome.model.graph().node(0).attribute(0).f() == 2);
  CHECK(outcome.unused_settings == std::vector<std::string>{"d::Other.alpha=2"});
}

TEST_CASE("a rule takes the dimensions of an input as an attribute, where all are known") {
  const std::string rules =
      R"(<domain: "d", opset_import: ["" : 17]> F <dims_of_a> (a) => (b) { s = Constant <value_ints: ints = @dims_of_a> ()  b = Reshape (a, s) })";
  const auto shape = [&](const std::string& type) -> std::string {
    const Outcome outcome = lower(header + "g (" + type + " x) => (" + type + " y) { y = d.F (x) }", {}, rules);
    if (outcome.lowered == 0) return "unknown";
    std::string text;
    const onnx::TensorProto& dims = outcome.model.graph().node(0).attribute(0).t();
    for (const int64_t dim : dims.int64_data()) text += std::to_string(dim) + " ";
    return text;
  };
  CHECK(shape("float[2, 3, 5]") == "2 3 5 ");
  CHECK(shape("float[2, N]") == "unknown");
}

TEST_CASE("an attribute of a custom node that holds something else than it says is refused") {
  const auto with = [](const auto& set) {
    onnx::ModelProto model = parsed(header + "g (float[2] x) => (float[2] y) { y = d.F <alpha = 1> (x) }");
    onnx::AttributeProto& attribute = *model.mutable_graph()->mutable_node(0)->mutable_attribute(0);
    attribute.clear_i();
    set(attribute);
    return lower_bytes(model.SerializeAsString(), {},
                       R"(<domain: "d", opset_import: ["" : 17]> F <alpha> (a) => (b) { b = Relu (a) })")
        .reasons;
  };
  const auto typed = [&](auto type, const auto& set) {
    return with([&](onnx::AttributeProto& attribute) { attribute.set_type(type), set(attribute); });
  };
  using A = onnx::AttributeProto;
  const std::string wrong = "and holds something else";
  CHECK(typed(A::INT, [](A&) {}) == "");
  CHECK_THAT(typed(A::INT, [](A& attribute) { attribute.set_f(1); }), Catch::Contains(wrong));
  CHECK_THAT(typed(A::FLOAT, [](A& attribute) { attribute.set_i(1); }), Catch::Contains(wrong));
  CHECK_THAT(typed(A::FLOAT, [](A& attribute) { attribute.set_s("a"); }), Catch::Contains(wrong));
  CHECK_THAT(typed(A::FLOAT,
                   [](A& attribute) { attribute.mutable_t()->set_data_type(1), attribute.mutable_t()->add_dims(0); }),
             Catch::Contains(wrong));
  CHECK_THAT(typed(A::FLOAT, [](A& attribute) { attribute.add_floats(1); }), Catch::Contains(wrong));
  CHECK_THAT(typed(A::FLOAT, [](A& attribute) { attribute.add_ints(1); }), Catch::Contains(wrong));
  CHECK_THAT(typed(A::FLOAT, [](A& attribute) { attribute.add_strings("a"); }), Catch::Contains(wrong));
}

TEST_CASE("a constant that only a rule's attribute wanted does not stay") {
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17, "e" : 1]> F (a) => (b) { s = Constant <value_ints = [1]> ()  b = e.G (a, s) }
    <domain: "e", opset_import: ["" : 17]> G <value_of_s> (a, s) => (b) { b = ReduceMax <axes: ints = @value_of_s, keepdims = 1> (a) })";
  CHECK(nodes(lower(header + "g (float[2, 3] x) => (float[2, 1] y) { y = d.F (x) }", {}, rules)) == "y = ReduceMax(x)");
}

TEST_CASE("an input that is left out has no type that could be wrong") {
  const std::string rules = R"(<domain: "d", opset_import: ["" : 17]> F (a, high) => (b) { b = Clip (a, , high) })";
  CHECK(nodes(lower(header + "g (int64[2] x, int64 h) => (int64[2] y) { y = d.F (x, h) }", {}, rules)) ==
        "y = Clip(x, , h)");
}

TEST_CASE("a lower opset lowers the IR version to that of its release, if it was newer") {
  LegalizeOptions options;
  options.target_opset = 13;
  const std::string graph = R"(, opset_import: ["" : 14]> g (float[2] x) => (float[2] y) { y = Relu (x) })";
  CHECK(lower("<ir_version: 8" + graph, options).model.ir_version() == 7);
  CHECK(lower("<ir_version: 6" + graph, options).model.ir_version() == 6);
  options.ir_version = 9;
  CHECK(lower("<ir_version: 8" + graph, options).model.ir_version() == 9);
  CHECK(lower("<ir_version: 8" + graph, options).new_ir_version == 9);
  CHECK(lower("<ir_version: 8" + graph).model.ir_version() == 8);
  CHECK(lower("<ir_version: 8" + graph).new_ir_version == 0);
}

TEST_CASE("an initializer that older readers do not know and nobody uses goes, and is told") {
  LegalizeOptions options;
  options.ir_version = 9;
  const std::string graph = R"(<ir_version: 10, opset_import: ["" : 19]> g (float[2] x) => (float[2] y) )";
  const std::string nodes = " { y = Relu (x) }";
  const Outcome outcome = lower(graph + "<int4[2] w = {1, 2}, float[1] v = {1}>" + nodes, options);
  CHECK(outcome.model.ir_version() == 9);
  CHECK(outcome.dropped_fields == std::vector<std::string>{"initializer 'w', which nothing uses"});
  REQUIRE(outcome.model.graph().initializer_size() == 1);
  CHECK(outcome.model.graph().initializer(0).name() == "v");
  CHECK(lower(graph + "<float[1] v = {1}>" + nodes, options).dropped_fields.empty());
}

TEST_CASE("an IR version that cannot hold the model is refused with one that can") {
  LegalizeOptions options;
  options.ir_version = 7;
  options.kept = {{.domain = "d", .op_type = "Twice"}};
  const std::string text = header + "g (float[2] x) => (float[2] y) { y = d.Twice (x) } " + twice;
  CHECK_THROWS_WITH(lower(text, options), Catch::EndsWith("write --ir-version 8"));
  options.ir_version = 8;
  CHECK(lower(text, options).model.ir_version() == 8);
}

TEST_CASE("below 13 a list of one scale is a single number, and a longer one is not") {
  LegalizeOptions options;
  options.target_opset = 10;
  const auto lowered = [&](const std::string& scale) {
    return lower("<ir_version: 7, opset_import: [\"\" : 13]> g (uint8[2, 3] x, " + scale +
                     " s) => (float[2, 3] y) { y = DequantizeLinear (x, s) }",
                 options)
        .lowered;
  };
  CHECK(lowered("float") == 0);
  CHECK(lowered("float[1]") == 0);
  CHECK(lowered("float[3]") == 1);
  CHECK(lowered("float[n]") == 1);
}

TEST_CASE("a sequence does not pass where an operator took tensors only") {
  LegalizeOptions options;
  options.target_opset = 13;
  const std::string graph = R"(<ir_version: 8, opset_import: ["" : 16]> g )";
  CHECK_THAT(lower(graph + "(float[2] x) => (seq(float[2]) y) { s = SequenceConstruct (x) y = Identity (s) }", options)
                 .reasons,
             Catch::Contains("'input' cannot be a sequence in version 13 of the operator"));
  CHECK_THAT(lower(graph + "(optional(float[2]) x) => (optional(float[2]) y) { y = Identity (x) }", options).reasons,
             Catch::Contains("'input' cannot be an optional in version 13 of the operator"));
  CHECK(lower(graph + "(float[2] x) => (float[2] y) { y = Identity (x) }", options).unlowered.empty());
}

TEST_CASE("functions of operators that runtimes know themselves are told") {
  const auto told = [](const std::string& domain, const std::string& name) {
    const Outcome outcome =
        lower("<ir_version: 8, opset_import: [\"\" : 17, \"" + domain +
              "\" : 1]> g (float[2] x) => (float[2] y) { y = " + domain + "." + name + " (x) } " + "<domain: \"" +
              domain + "\", opset_import: [\"\" : 17]> " + name + " (a) => (b) { b = Neg (a) }");
    CHECK(outcome.lowered == 1);
    return outcome.functions_beside_kernels;
  };
  CHECK(told("com.microsoft", "FastGelu") == std::vector<std::string>{"com.microsoft::FastGelu"});
  CHECK(told("com.microsoft", "Unheard").empty());
  CHECK(told("d", "FastGelu").empty());
}

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/attachment/attachment.h"

#include <string>

#include "catch.h"
#include "lowered_model.h"

namespace onnx_lower {
namespace {

const std::string two_domains = R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1, "e" : 3]> )";

LegalizeOptions attaching(const std::string& op_type) {
  LegalizeOptions options;
  options.attached = {{.domain = "d", .op_type = op_type}};
  return options;
}

std::string function_of(const Outcome& outcome) {
  REQUIRE(outcome.model.functions_size() == 1);
  const onnx::FunctionProto& function = outcome.model.functions(0);
  std::string text;
  for (const auto& import : function.opset_import())
    text += import.domain() + ":" + std::to_string(import.version()) + " ";
  for (const onnx::NodeProto& node : function.node())
    text += "; " + (node.domain().empty() ? "" : node.domain() + ".") + node.op_type();
  return text;
}

TEST_CASE("an attached function imports a domain in the version that the model imports") {
  LegalizeOptions options = attaching("F");
  options.kept = {{.domain = "e", .op_type = "Kept"}};
  for (const std::string version : {"1", "3"}) {
    const Outcome outcome = lower(
        R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1, "e" : )" + version +
            "]> g (float[2] x) => (float[2] y) { y = d.F (x) }",
        options, R"(<domain: "d", opset_import: ["" : 17, "e" : 3]> F (a) => (b) { t = e.Kept (a)  b = Relu (t) })");
    CHECK(nodes(outcome) == "y = d.F(x)");
    CHECK(function_of(outcome) == ":17 e:" + version + " ; e.Kept; Relu");
  }
}

TEST_CASE("a function of the model that runs as it is stays, also with an operator that only rules avoid") {
  const std::string text =
      two_domains + R"(g (float[1, 1, 3, 3] x, float[1, 1, 2, 2] w, float[1, 8, 2, 2] o) => (float[1, 1, 2, 2] y) {
        y = d.F (x, w, o) }
      <domain: "d", opset_import: ["" : 19]> F (a, w, o) => (b) { b = DeformConv (a, w, o) })";
  LegalizeOptions options = attaching("F");
  options.target_opset = 19;
  const Outcome outcome = lower(text, options);
  CHECK(nodes(outcome) == "y = d.F(x, w, o)");
  CHECK(function_of(outcome) == ":19 ; DeformConv");
}

TEST_CASE("what an attached node makes has the type that its function makes") {
  // ONNX Runtime has no Where of int16.
  const std::string rules = R"--(
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Cast <to = 5> (a) }
    ["where": "dtype(a) == int16"] <domain: "d", opset_import: ["" : 17]> G (c, a) => (b) { b = Where (c, a, a) })--";
  const Outcome outcome =
      lower(two_domains + "g (bool[2] c, float[2] x) => (y) { h = d.F (x)  y = d.G (c, h) }", attaching("F"), rules);
  INFO(outcome.reasons);
  CHECK_THAT(nodes(outcome), Catch::StartsWith("h = d.F(x); ") && Catch::Contains("wide_x = Cast(h)"));
}

TEST_CASE("functions whose nodes differ only in what they take are two") {
  const std::string rules = R"--(
    ["where": "swapped == 0"] <domain: "d", opset_import: ["" : 17]> F <swapped: int = 0> (a, b) => (c) { c = Sub (a, b) }
    <domain: "d", opset_import: ["" : 17]> F <swapped: int = 0> (a, b) => (c) { c = Sub (b, a) })--";
  const Outcome outcome = lower(two_domains + R"(g (float[2] x, float[2] w) => (float[2] y) {
        s = d.F <swapped = 0> (x, w) t = d.F <swapped = 1> (s, w) y = d.F <swapped = 0> (t, w) })",
                                attaching("F"), rules);
  REQUIRE(outcome.model.functions_size() == 2);
  CHECK(outcome.model.functions(0).node(0).input(0) == "a");
  CHECK(outcome.model.functions(1).node(0).input(0) == "b");
  CHECK(outcome.model.graph().node(0).overload() == outcome.model.graph().node(2).overload());
  CHECK(outcome.model.graph().node(0).overload() != outcome.model.graph().node(1).overload());
}

TEST_CASE("functions that declare other attributes are two") {
  const std::string rules = R"--(
    ["where": "rank(a) == 1"] <domain: "d", opset_import: ["" : 17]> F <alpha: float = 1.0> (a) => (b) { b = Relu (a) }
    <domain: "d", opset_import: ["" : 17]> F <gamma: float = 1.0> (a) => (b) { b = Relu (a) })--";
  const Outcome outcome =
      lower(two_domains + "g (float[2] x, float[1, 2] z) => (float[2] y, float[1, 2] w) { y = d.F (x)  w = d.F (z) }",
            attaching("F"), rules);
  REQUIRE(outcome.model.functions_size() == 2);
  CHECK(outcome.model.functions(0).attribute_proto(0).name() == "alpha");
  CHECK(outcome.model.functions(1).attribute_proto(0).name() == "gamma");
}

TEST_CASE("a node that takes a list is attached, unless the list is of several types") {
  const std::string rule = R"(<domain: "d", opset_import: ["" : 17]>
    F (l) => (b) { i = Constant <value_int = 0> ()  t = SequenceAt (l, i)  b = Relu (t) })";
  const auto lowered = [&](const std::string& inputs) {
    return nodes(lower(two_domains + "g (" + inputs + ") => (y) { l = SequenceConstruct (x, w)  y = d.F (l) }",
                       attaching("F"), rule));
  };
  CHECK(lowered("float[2] x, float[2] w") == "l = SequenceConstruct(x, w); y = d.F(l)");
  // No runtime reads a model with such a list.
  CHECK(lowered("float[2] x, int64[2] w") == "y = Relu(x)");
  // What is not known may be anything.
  LegalizeOptions options = attaching("F");
  options.kept = {{.domain = "e", .op_type = "Kept"}};
  for (const std::string list : {"(u, w)", "(w, u)", "(w, u, w)"}) {
    CHECK(nodes(lower(two_domains + "g (float[2] x, int64[2] w) => (y) { u = e.Kept (x)  l = SequenceConstruct " +
                          list + "  y = d.F (l) }",
                      options, rule)) == "u = e.Kept(x); l = SequenceConstruct" + list + "; y = d.F(l)");
  }
}

TEST_CASE("nodes that differ in an attribute share a function, which refers to it by the name that the nodes have") {
  const std::string rule =
      R"(<domain: "d", opset_import: ["" : 17]> F <alpha: float> (a) => (b) { b = Elu <alpha: float = @alpha> (a) })";
  // torch's symbolics say an attribute's type behind its name.
  for (const std::string name : {"alpha", "alpha_f"}) {
    const Outcome outcome = lower(two_domains + "g (float[2] x) => (float[2] y) { h = d.F <" + name +
                                      " = 2.0> (x)  y = d.F <" + name + " = 3.0> (h) }",
                                  attaching("F"), rule);
    CHECK(nodes(outcome) == "h = d.F(x); y = d.F(h)");
    REQUIRE(outcome.model.functions_size() == 1);
    const onnx::FunctionProto& function = outcome.model.functions(0);
    CHECK(function.attribute_size() == 1);
    CHECK(function.attribute(0) == name);
    CHECK(function.node(0).attribute(0).ref_attr_name() == name);
    CHECK(outcome.attached_functions == 1);
  }
}

TEST_CASE(
    "an attached function has no Constant of integers at an opset whose Constant knows floating-point numbers only") {
  const std::string rule =
      R"(<domain: "d", opset_import: ["" : 7]> F (a) => (b) { k = Constant <value = int64[1] {2}> ()  b = Reshape (a, k) })";
  const std::string graph =
      R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) })";
  LegalizeOptions options = attaching("F");
  options.target_opset = 8;
  const Outcome refused = lower(graph, options, rule);
  CHECK(refused.attached_functions == 0);
  CHECK_THAT(refused.reasons, Catch::Contains("a function has no Constant of type int64 in version 1"));
  options.target_opset = 9;
  CHECK(lower(graph, options, rule).attached_functions == 1);
}

TEST_CASE("an output of an attached function that is an input or another output has a name of its own") {
  const Outcome outcome =
      lower(two_domains +
                R"(g (float[2] x) => (float[2] y, float[2] z, float[2] v, float[2] w) { y, z, v, w = d.F (x) }
             <domain: "d", opset_import: ["" : 17, "e" : 3]> F (a) => (b, a, a, b) { b = e.G (a) })",
            attaching("F"), R"(<domain: "e", opset_import: ["" : 17]> G (a) => (b) { b = Relu (a) })");
  REQUIRE(outcome.model.functions_size() == 1);
  const auto& outputs = outcome.model.functions(0).output();
  CHECK(std::vector<std::string>(outputs.begin(), outputs.end()) ==
        std::vector<std::string>{"b", "a_output", "a_output_2", "b_output"});
}

TEST_CASE("a node that cannot be attached says why, for each form of its rule") {
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17, "nowhere" : 1]> F (a) => (b) { b = nowhere.G (a) }
    <domain: "d", opset_import: ["" : 17, "nowhere" : 1]> F (a, c) => (b) { b = nowhere.H (a) })";
  const Outcome outcome = lower(two_domains + "g (float[2] x) => (float[2] y) { y = d.F (x) }", attaching("F"), rules);
  CHECK(outcome.unlowered == std::vector<std::string>{"y"});
  CHECK_THAT(outcome.reasons, Catch::Contains("nowhere::G has no rule"));
}

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "check/check_model.h"

#include <optional>
#include <string>

#include "catch.h"
#include "check/node_order.h"
#include "error.h"
#include "lowered_model.h"
#include "model_file/read_model.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

std::string complaint(const onnx::ModelProto& message) {
  const TemporaryFolder folder("check_model_test");
  const Model model = read_model(folder.write("model.onnx", message.SerializeAsString()));
  try {
    check_model(model);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "good";
}

std::string complaint(const std::string& graph,
                      const std::string& header = R"(<ir_version: 8, opset_import: ["" : 17, "custom" : 1]>)") {
  return complaint(parsed(header + " g " + graph));
}

TEST_CASE("names are defined once in their scope and before they are used") {
  CHECK(complaint("(float[2] x) => (float[2] y) { a = Relu (x) y = Add (a, a) }") == "good");
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Relu (z) }"),
             Catch::Contains("(ai.onnx::Relu) that makes 'y' uses 'z', which nothing makes"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { a = Relu (x) a = Neg (x) y = Relu (a) }"),
             Catch::Contains("makes 'a', which is defined before it"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { x = Relu (x) y = Relu (x) }"),
             Catch::Contains("makes 'x', which is defined before it"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Relu (b) b = Neg (x) }"),
             Catch::Contains("uses 'b' before"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { a = Add (x, y) y = Neg (a) }"),
             Catch::Contains("or form a cycle"));
  CHECK_THAT(complaint("(float[2] x, float[2] x) => (float[2] y) { y = Relu (x) }"),
             Catch::Contains("graph input 'x' is declared twice"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y, float[2] z) { y = Relu (x) }"),
             Catch::Contains("graph output 'z' is made by no node"));
}

TEST_CASE("a fault is said to be in the graphs that hold it, and in no others") {
  const std::string branches =
      "t = If (c) <then_branch = one () => (float[2] a) { a = Relu (x) }, else_branch = two () => (float[2] b) "
      "{ b = Neg (x) }> ";
  const std::string graph = "(bool c, float[2] x) => (float[2] y) { ";
  CHECK_THAT(complaint(graph + branches + "y = Relu (z) }"), !Catch::Contains("in a graph of"));
  CHECK_THAT(
      complaint(graph + "y = If (c) <then_branch = one () => (float[2] a) { a = Relu (z) }, else_branch = two () "
                        "=> (float[2] b) { b = Neg (x) }> }"),
      Catch::Contains("in a graph of the node (ai.onnx::If) that makes 'y': "));
}

TEST_CASE("a graph input needs a type unless an initializer gives it one") {
  onnx::ModelProto model = parsed(
      R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}>
         { y = Add (x, w) })");
  model.mutable_graph()->mutable_input(1)->clear_type();
  CHECK(complaint(model) == "good");
  model.mutable_graph()->clear_initializer();
  CHECK_THAT(complaint(model), Catch::Contains("graph input 'w' does not say of what type it is"));
}

TEST_CASE("initializers have names, each its own, and may be graph inputs") {
  CHECK(complaint("(float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) }") == "good");
  CHECK(complaint("(float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Add (x, w) }") == "good");
  onnx::ModelProto model = parsed(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Add (x, w) })");
  *model.mutable_graph()->add_initializer() = model.graph().initializer(0);
  CHECK_THAT(complaint(model), Catch::Contains("initializer 'w' is there twice"));
  model.mutable_graph()->mutable_initializer(1)->clear_name();
  CHECK_THAT(complaint(model), Catch::Contains("an initializer has no name"));
}

TEST_CASE("bodies see the values around them, and nothing of one another") {
  const std::string branches =
      R"(y = If (c) <then_branch = t () => (float[2] p) { p = Relu (a) }, else_branch = e () => (float[2] q) { q = Neg (%) }> })";
  const auto with = [&](const std::string& used) {
    return complaint("(bool c, float[2] x) => (float[2] y) { a = Abs (x) " +
                     std::string(branches).replace(branches.find('%'), 1, used));
  };
  CHECK(with("x") == "good");
  CHECK_THAT(with("p"), Catch::Contains("uses 'p', which nothing makes"));
  CHECK_THAT(with("y"), Catch::Contains("uses 'y', which nothing makes"));
  // A body makes its outputs itself, and no value anew that is there already.
  CHECK_THAT(complaint("(bool c, float[2] x) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] x) { }, "
                       "else_branch = e () => (float[2] q) { q = Neg (x) }> }"),
             Catch::Contains("graph output 'x' is made by no node"));
  CHECK_THAT(complaint("(bool c, float[2] x) => (float[2] y) { a = Abs (x) y = If (c) <then_branch = t () => (float[2] "
                       "a) { a = Neg (x) }, "
                       "else_branch = e () => (float[2] q) { q = Neg (x) }> }"),
             Catch::Contains("makes 'a', which is defined before it"));
  // The same name in two branches is two values.
  CHECK(complaint(R"((bool c, float[2] x) => (float[2] y) { y = If (c) <
      then_branch = t () => (float[2] p) { p = Relu (x) }, else_branch = e () => (float[2] p) { p = Neg (x) }> })") ==
        "good");
}

TEST_CASE("functions are scopes of their own") {
  const std::string head =
      R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) } )";
  CHECK(complaint(parsed(head + R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (a) })")) == "good");
  CHECK_THAT(complaint(parsed(head + R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (x) })")),
             Catch::Contains("uses 'x', which nothing makes"));
}

TEST_CASE("two functions of one name are the same") {
  const std::string head =
      R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) } )";
  const std::string relu = R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (a) })";
  CHECK(complaint(parsed(head + relu + relu)) == "good");
  CHECK_THAT(complaint(parsed(head + relu + R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) })")),
             Catch::Contains("function d::F is there twice"));
  CHECK(complaint(parsed(head + relu +
                         R"(<domain: "d", opset_import: ["" : 17], overload: "o"> F (a) => (b) { b = Neg (a) })")) ==
        "good");
}

TEST_CASE("standard operators' nodes have what their schemas ask for") {
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Add (x) }"),
             Catch::Contains("has 1 inputs, and the operator takes 2"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Add (x, ) }"),
             Catch::Contains("lacks its input 'B'") || Catch::Contains("has 1 inputs"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y, z = Relu (x) }"),
             Catch::Contains("has 2 outputs, and the operator makes 1"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Relu <slope = 1.0> (x) }"),
             Catch::Contains("attribute 'slope', which the operator does not have at opset 17"));
  CHECK(complaint("(float[2] x) => (float[2] y) { y = Relu <__mark = 1> (x) }") == "good");
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Elu <alpha = 1> (x) }"),
             Catch::Contains("attribute 'alpha' is INT, and the operator wants FLOAT"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Cast (x) }"), Catch::Contains("lacks a required attribute"));
  CHECK(complaint("(float[2] x) => (float[2] y) { y = custom.Anything <a = 1> () }",
                  R"(<ir_version: 8, opset_import: ["" : 17, "custom" : 1]>)") == "good");
  CHECK(complaint("(float[2] x) => (float[2] y) { y = Unheard (x) }") == "good");
}

TEST_CASE("versions that nobody knows") {
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Relu (x) }", R"(<ir_version: 99, opset_import: ["" : 17]>)"),
             Catch::Contains("its ir_version is 99"));
  CHECK_THAT(complaint("(float[2] x) => (float[2] y) { y = Relu (x) }", R"(<ir_version: 8, opset_import: ["" : 999]>)"),
             Catch::Contains("imports version 999 of ai.onnx"));
  CHECK_THAT(
      complaint("(float[2] x) => (float[2] y) { y = Relu (x) }", R"(<ir_version: 8, opset_import: ["ai.onnx" : 0]>)"),
      Catch::Contains("imports version 0"));
  CHECK(complaint("(float[2] x) => (float[2] y) { y = Relu (x) }",
                  R"(<ir_version: 8, opset_import: ["" : 17, "custom" : 999]>)") == "good");
}

TEST_CASE("a domain is imported once, or in one version") {
  const std::string graph = "(float[2] x) => (float[2] y) { y = Relu (x) }";
  onnx::ModelProto model = parsed(R"(<ir_version: 8, opset_import: ["" : 17]> g )" + graph);
  *model.add_opset_import() = model.opset_import(0);
  CHECK(complaint(model) == "good");
  model.mutable_opset_import(1)->set_version(18);
  CHECK_THAT(complaint(model), Catch::Contains("twice, in the versions 17 and 18"));
}

TEST_CASE("outputs that nobody wants have no name, however many they are") {
  onnx::ModelProto model =
      parsed(R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) })");
  auto& outputs = *model.mutable_graph()->mutable_node(0)->mutable_output();
  outputs.Clear();
  for (const char* name : {"", "", "y"}) *outputs.Add() = name;
  CHECK(complaint(model) == "good");
}

TEST_CASE("nodes are put in order, those of bodies and functions too") {
  const auto ordered = [](const std::string& in_body) -> std::optional<onnx::ModelProto> {
    const TemporaryFolder folder("check_model_test");
    Model model = read_model(
        folder.write("model.onnx", parsed(R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]>
      g (bool c, float[2] x) => (float[2] y) {
        h = d.F (x)
        y = If (c) <then_branch = a () => (float[2] p) { p = Neg (q)  q = )" +
                                          in_body + R"( }, else_branch = b () => (float[2] r) { r = Abs (x) }>
      }
      <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (t)  t = Neg (a) })")
                                       .SerializeAsString()));
    if (!put_in_order(model)) return std::nullopt;
    std::string bytes;
    for (const Bytes range : encode_model(model).ranges) bytes.append(range);
    onnx::ModelProto message;
    REQUIRE(message.ParseFromString(bytes));
    return message;
  };
  const std::optional<onnx::ModelProto> model = ordered("Abs (h)");
  REQUIRE(model);
  CHECK(nodes(model->graph()) == "h = d.F(x); y = If(c)");
  CHECK(nodes(body(model->graph().node(1), "then_branch")) == "q = Abs(h); p = Neg(q)");
  CHECK(model->functions(0).node(0).op_type() == "Neg");
  CHECK_FALSE(ordered("Abs (p)"));
}

TEST_CASE("the declared type of a value that a node makes must be one, that of an input in a value_info need not") {
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { t = Neg (x)  y = Relu (t) })";
  const auto with = [&](const std::string& name) {
    onnx::ModelProto model = parsed(text);
    onnx::ValueInfoProto& info = *model.mutable_graph()->add_value_info();
    info.set_name(name);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(99);
    return complaint(model);
  };
  CHECK_THAT(with("t"), Catch::Contains("the type of value 't' has the element type 99"));
  for (const std::string name : {"x", "y", "nobody"}) CHECK(with(name) == "good");
}

TEST_CASE("what an input or output declares must be a type") {
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { y = Relu (x) })";
  onnx::ModelProto model = parsed(text);
  model.mutable_graph()->mutable_input(0)->clear_name();
  CHECK_THAT(complaint(model), Catch::Contains("a graph input has no name"));
  model = parsed(text);
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(99);
  CHECK_THAT(complaint(model), Catch::Contains("the type of graph output 'y'"));
  model = parsed(text);
  model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(99);
  CHECK_THAT(complaint(model), Catch::Contains("the type of graph input 'x'"));
}

TEST_CASE("the default of an input fits what is declared of it") {
  const auto with = [](const auto& add_dims) {
    onnx::ModelProto model = parsed(
        R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x, float[2] w = {1, 2}) => (float[2] y) { y = Add (x, w) })");
    auto& shape = *model.mutable_graph()->mutable_input(1)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.Clear();
    add_dims(shape);
    return complaint(model);
  };
  CHECK(with([](auto& shape) { shape.add_dim()->set_dim_value(2); }) == "good");
  CHECK(with([](auto& shape) { shape.add_dim()->set_dim_value(-1); }) == "good");
  CHECK(with([](auto& shape) { shape.add_dim()->set_dim_param("N"); }) == "good");
  CHECK(with([](auto& shape) { shape.add_dim(); }) == "good");
  CHECK_THAT(with([](auto& shape) { shape.add_dim()->set_dim_value(3); }),
             Catch::Contains("has the shape [3], and its initializer has [2]"));
  CHECK_THAT(with([](auto& shape) { shape.add_dim()->set_dim_param("N"), shape.add_dim(); }),
             Catch::Contains("has the shape [N, ?], and its initializer has [2]"));
}

TEST_CASE("an attribute holds what its type says") {
  const auto with = [](auto edit) {
    onnx::ModelProto model = parsed(
        R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y) { c = Constant <value = float[2] {1, 2}> ()  y = Add (x, c) })");
    edit(*model.mutable_graph()->mutable_node(0)->mutable_attribute(0));
    return complaint(model);
  };
  CHECK(with([](auto&) {}) == "good");
  CHECK_THAT(with([](auto& attribute) { attribute.clear_t(); }),
             Catch::Contains("says that it is TENSOR, and holds none"));
  for (const auto& case_of :
       {std::pair("sparse_value", onnx::AttributeProto::SPARSE_TENSOR), {"value", onnx::AttributeProto::TENSOR}}) {
    CHECK_THAT(with([&](auto& attribute) {
                 attribute.Clear();
                 attribute.set_name(case_of.first);
                 attribute.set_type(case_of.second);
               }),
               Catch::Contains("and holds none"));
  }
  onnx::ModelProto optional = parsed(
      R"(<ir_version: 8, opset_import: ["" : 17]> g () => (optional(float[2]) y) { y = Optional <type = float[2]> () })");
  CHECK(complaint(optional) == "good");
  optional.mutable_graph()->mutable_node(0)->mutable_attribute(0)->clear_tp();
  CHECK_THAT(complaint(optional), Catch::Contains("says that it is TYPE_PROTO, and holds none"));
  CHECK_THAT(with([](auto& attribute) { attribute.set_f(1); }), Catch::Contains("and holds something else"));
  // As torch 2.2 writes what an ATen operator takes as a string.
  const auto make_text = [](const char* name) {
    return [name](onnx::AttributeProto& attribute) {
      attribute.Clear();
      attribute.set_name(name);
      attribute.set_type(onnx::AttributeProto::STRING);
      attribute.set_s("linear");
    };
  };
  CHECK(with(make_text("value")) == "good");
  CHECK_THAT(with(make_text("value_float")), Catch::Contains("is STRING, and the operator wants FLOAT"));
  // A zero and an empty list need not be written.
  CHECK(complaint("(float[2] x) => (float[2] y) { y = Flatten <axis = 0> (x) }") == "good");
}

TEST_CASE("a model without custom nodes leaves no element type open") {
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) <float[2] h> { h = Relu (x)  y = Neg (h) })";
  const auto without = [&](const auto& type_in, const std::string& of = {}) {
    onnx::ModelProto model = parsed(of.empty() ? text : of);
    type_in(*model.mutable_graph()).mutable_tensor_type()->clear_elem_type();
    return complaint(model);
  };
  const auto input = [](onnx::GraphProto& graph) -> onnx::TypeProto& {
    return *graph.mutable_input(0)->mutable_type();
  };
  const auto output = [](onnx::GraphProto& graph) -> onnx::TypeProto& {
    return *graph.mutable_output(0)->mutable_type();
  };
  const auto value = [](onnx::GraphProto& graph) -> onnx::TypeProto& {
    return *graph.mutable_value_info(0)->mutable_type();
  };
  CHECK_THAT(without(input), Catch::Contains("'x' leaves an element type undefined"));
  CHECK_THAT(without(output), Catch::Contains("'y' leaves an element type undefined"));
  CHECK_THAT(without(value), Catch::Contains("'h' leaves an element type undefined"));
  // Of several, the first in the file is named.
  onnx::ModelProto several = parsed(
      R"(<ir_version: 8, opset_import: ["" : 17]> g (bool c, float[2] x) => (float[2] y) <float[2] h> {
        h = Relu (x)
        y = If (c) <then_branch = a () => (float[2] p) { p = Neg (h) }, else_branch = b () => (float[2] q) { q = Abs (h) }> })");
  auto& then = *several.mutable_graph()->mutable_node(1)->mutable_attribute(0)->mutable_g();
  for (auto* graph : {several.mutable_graph(), &then})
    graph->mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_elem_type();
  CHECK_THAT(complaint(several), Catch::Contains("'p' leaves an element type undefined"));
  // What a custom node makes is not known before it is lowered.
  CHECK(
      without(output,
              R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) })") ==
      "good");
}

TEST_CASE("the keys of a map are integers or strings") {
  const auto with_keys_of = [](int type, int values = onnx::TensorProto::FLOAT) {
    onnx::ModelProto model =
        parsed(R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) })");
    auto& map = *model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_map_type();
    map.set_key_type(type);
    map.mutable_value_type()->mutable_tensor_type()->set_elem_type(values);
    return complaint(model);
  };
  CHECK(with_keys_of(onnx::TensorProto::INT64) == "good");
  CHECK(with_keys_of(onnx::TensorProto::STRING) == "good");
  CHECK_THAT(with_keys_of(onnx::TensorProto::FLOAT), Catch::Contains("the type of graph input 'x'"));
  CHECK_THAT(with_keys_of(99), Catch::Contains("the type of graph input 'x'"));
  CHECK_THAT(with_keys_of(onnx::TensorProto::FLOAT), Catch::Contains("is a map with keys of the type FLOAT"));
  CHECK_THAT(with_keys_of(99), Catch::Contains("has the element type 99, which does not exist"));
  CHECK_THAT(with_keys_of(onnx::TensorProto::STRING, 98), Catch::Contains("has the element type 98"));
}

}  // namespace
}  // namespace onnx_lower

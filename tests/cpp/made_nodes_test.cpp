// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What rules and functions make is held against the schemas, and a trial that fails leaves nothing
// behind.
#include <string>
#include <string_view>
#include <utility>

#include "catch.h"
#include "command_line/option_values.h"
#include "lowered_model.h"
#include "rules/body.h"
#include "standard_operators/operator_table.h"
#include "standard_operators/schema_problem.h"

namespace onnx_lower {
namespace {

using Catch::Contains;

const std::string of_floats = header + "g (float[2] x) => (float[2] y) { [n] y = d.F (x) } ";

// The reason why a function with this body lowers no node; the body's node stands in the second
// line.
std::string reason(const std::string& body, const std::string& graph = of_floats,
                   const std::string& signature = "(a) => (b)") {
  const Outcome outcome =
      lower(graph, {}, "<domain: \"d\", opset_import: [\"\" : 17]> F " + signature + " {\n  " + body + " }");
  CHECK(outcome.unlowered == std::vector<std::string>{"n"});
  CHECK_THAT(outcome.reasons, Contains("d::F (") && Contains("rules.onnxtxt:1") && Contains("line 2"));
  return outcome.reasons;
}

TEST_CASE("a body that breaks a schema makes its rule decline, and says where") {
  CHECK_THAT(reason("b = Relu (a, a)"), Contains("it has 2 inputs, and the operator takes 1"));
  CHECK_THAT(reason("b, c = Relu (a)"), Contains("it has 2 outputs, and the operator makes 1"));
  CHECK_THAT(reason("b = Sub (a)"), Contains("it has 1 input, and the operator takes 2"));
  CHECK_THAT(reason("b = Where (a, , a)"), Contains("it lacks its input 'X'"));
  CHECK_THAT(reason("b = Relu (a)  \"\" = Neg (a)"), Contains("it gives its output 'Y' no name"));
  CHECK_THAT(reason("b = Relu <bogus = 1> (a)"), Contains("version 14 of the operator has no attribute 'bogus'"));
  CHECK_THAT(reason("b = Elu <alpha = 1> (a)"), Contains("attribute 'alpha' is INT, and the operator wants FLOAT"));
  CHECK_THAT(reason("b = Concat (a, a)"), Contains("it lacks the attribute 'axis'"));
  CHECK_THAT(reason("b = Cast <to = 99> (a)"), Contains("attribute 'to' is 99, which is no element type"));
  CHECK_THAT(reason("b = Cast <to = 22> (a)"), Contains("version 13 of the operator makes no elements of type INT4"));
  CHECK_THAT(reason("b = DepthToSpace <blocksize = 2, mode = \"XYZ\"> (a)"),
             Contains("\"XYZ\", which is none of DCR CRD"));
  CHECK_THAT(reason("b = MaxPool <kernel_shape = [2], auto_pad = \"SAME\"> (a)"),
             Contains("which is none of NOTSET SAME_UPPER"));
}

TEST_CASE("what the documentation of an operator asks for, and its schema does not, is looked at") {
  CHECK_THAT(reason("b = LRN <size = 2> (a)"), Contains("its attribute 'size' is no odd number"));
  CHECK_THAT(reason("b = ArgMax <axis = 1099511627776> (a)"), Contains("'axis' is not between -2147483648 and"));
  CHECK_THAT(reason("i = Constant <value_ints = [0]> ()  b = GatherND <batch_dims = -100> (a, i)"),
             Contains("'batch_dims' is not between 0 and"));
  CHECK_THAT(reason("b = Max (, a)"), Contains("it leaves one of its inputs 'data_0' out"));
  CHECK_THAT(reason("b, c, d = BatchNormalization (a, a, a, a, a)"),
             Contains("it has outputs that only its training mode makes"));
  CHECK_THAT(reason("b = LpNormalization <p = 3> (a)"), Contains("attribute 'p' is not between 1 and 2"));
  CHECK_THAT(reason("b = MaxPool <kernel_shape = [2], storage_order = 3> (a)"),
             Contains("'storage_order' is not between"));
  CHECK_THAT(reason("b = Mod <fmod = 2> (a, a)"), Contains("attribute 'fmod' is not between 0 and 1"));
  CHECK_THAT(reason("i = Constant <value_int = 0> ()  b = CumSum <exclusive = 2> (a, i)"),
             Contains("'exclusive' is not"));
  CHECK_THAT(reason("s = Shape (a)  b = ConstantOfShape <value = float[2] {1, 2}> (s)"),
             Contains("'value' is no list of one number"));
  CHECK_THAT(reason("b = Transpose <perm = [0, 0]> (a)"), Contains("'perm' is no permutation"));
  CHECK_THAT(reason("b = Einsum <equation = \"i,i->i\"> (a)"),
             Contains("'equation' speaks of another number of inputs"));
  CHECK_THAT(reason("b = Conv <auto_pad = \"VALID\", pads = [0, 0]> (a, a)"), Contains("both the attributes"));
  CHECK_THAT(reason("b = Conv <group = 0> (a, a)"), Contains("'group' has a number that is not above zero"));
  CHECK_THAT(reason("b = LSTM (a, a, a)"), Contains("it lacks the attribute 'hidden_size'"));
  CHECK_THAT(reason("b = ReverseSequence <batch_axis = 0, time_axis = 0> (a, a)"), Contains("are the same"));
  CHECK_THAT(reason("b = BitShift <direction = \"forward\"> (a, a)"), Contains("none of LEFT RIGHT"));
  CHECK_THAT(reason("b = Resize (a)"), Contains("it needs one of its inputs 'scales' and 'sizes'"));
}

TEST_CASE("that a body's node stood with inputs of some types says nothing of others, nor of what attributes say") {
  const std::string version = "<ir_version: 8, opset_import: [\"\" : 18, \"d\" : 1]> g ";
  const auto unlowered = [&](const std::string& calls, const std::string& form) {
    return lower(version + "(float[2] x, int32[2] i, string[2] s) => (y, z, w) { " + calls + " }", {},
                 "<domain: \"d\", opset_import: [\"\" : 18]> F " + form)
        .unlowered;
  };
  using Names = std::vector<std::string>;
  const std::string sine = "(a) => (b) { t = Identity (a)  b = Sin (t) }";
  CHECK(unlowered("[f] y = d.F (x) [i] z = d.F (i) [g] w = d.F (x)", sine) == Names{"i"});
  CHECK(unlowered("[i] y = d.F (i) [f] z = d.F (x) [g] w = d.F (x)", sine) == Names{"i"});
  CHECK(unlowered("[f] y = d.F (x) [m] z = d.F (x, i) [g] w = d.F (x, x)", "(a, c) => (b) { b = Add (a, c) }") ==
        Names{"f", "m"});
  const std::string cast = "<to: int> (a) => (b) { t = Cast <to = @to> (a)  b = Sin (t) }";
  CHECK(unlowered("[f] y = d.F <to = 1> (x) [i] z = d.F <to = 6> (x) [g] w = d.F <to = 1> (i)", cast) == Names{"i"});
}

TEST_CASE("conditions that only the call decides are asked of what is made") {
  const std::string version = "<ir_version: 8, opset_import: [\"\" : 18, \"d\" : 1]> g ";
  const auto reasons = [&](const std::string& call, const std::string& form) {
    return lower(version + "(float[4] x, float[4, 4] w, int64[2] p) => (y, z) { " + call + " }", {},
                 "<domain: \"d\", opset_import: [\"\" : 18]> F " + form)
        .reasons;
  };
  const std::string split = "<count: int> (a, p) => (b, c) { b, c = Split <num_outputs = @count> (a, p) }";
  CHECK_THAT(reasons("y, z = d.F <count = 3> (x)", split), Contains("not the number of its outputs"));
  CHECK_THAT(reasons("y, z = d.F <count = 2> (x, p)", split), Contains("and not both"));
  CHECK(reasons("y, z = d.F <count = 2> (x)", split).empty());
  const std::string resize = "(a, s, z) => (b) { b = Resize (a, , s, z) }";
  CHECK_THAT(reasons("y = d.F (x, x, p)  z = Neg (x)", resize), Contains("'scales' and 'sizes'"));
  CHECK(reasons("q = Identity (w)  y = d.F (q, , p)  z = Neg (x)", resize).empty());
  const std::string norm = "<p: int> (a) => (b) { b = LpNormalization <p = @p> (a) }";
  CHECK_THAT(reasons("y = d.F <p = 3> (x)  z = Neg (x)", norm), Contains("attribute 'p' is not between 1 and 2"));
  CHECK(reasons("y = d.F <p = 2> (x)  z = Neg (x)", norm).empty());
}

TEST_CASE("the graphs of a node take and give as many values as it needs, of the same types") {
  const std::string graph = header + "g (float[2] x, bool c, int64 n) => (y) { [n] y = d.F (x, c, n) }";
  const auto said = [&](const std::string& body) { return reason(body, graph, "(a, c, n) => (b)"); };
  CHECK_THAT(said("b = If (c) <then_branch = t (q) => (p) { p = Neg (a) }, else_branch = e () => (r) { r = Abs (a) }>"),
             Contains("the graph 'then_branch' has 1 input, and the node needs one with 0"));
  CHECK_THAT(said("b = If (c) <then_branch = t () => (p) { p = Neg (a) }, else_branch = e () => (r, s) { r = Abs (a)  "
                  "s = Neg (a) }>"),
             Contains("the graph 'else_branch' has 2 outputs, and the node needs one with 1"));
  CHECK_THAT(said("b = Loop (n, c, a) <body = l (i, d) => (d1, s1) { d1 = Identity (d)  s1 = Neg (a) }>"),
             Contains("the graph 'body' has 2 inputs, and the node needs one with 3"));
  CHECK_THAT(said("b = Loop (n, c, a) <body = l (i, d, s) => (s1) { s1 = Neg (s) }>"),
             Contains("the graph 'body' has 1 output, and the node needs one with 2"));
  CHECK_THAT(said("b = Scan <num_scan_inputs = 1, body = l (v, w) => (o) { o = Neg (v) }> (a)"),
             Contains("the graph 'body' has 2 inputs, and the node needs one with 1"));
  CHECK_THAT(said("b = Loop (n, c, a) <body = l (i, d, s) => (d1, s1) { d1 = Identity (d)  s1 = Shape (s) }>"),
             Contains("takes 'n/s' with elements of type FLOAT, and hands them on as INT64"));
  CHECK_THAT(
      said("b = If (c) <then_branch = t () => (p) { p = Neg (a) }, else_branch = e () => (r) { r = Shape (a) }>"),
      Contains("its branches give 'y' elements of two types, FLOAT and INT64"));
  CHECK_THAT(
      said("b = If (c) <then_branch = t () => (p) { p = Shape (a) }, else_branch = e () => (r) { r = Where (c, a, "
           "a) }>"),
      Contains("its branches give 'y' elements of two types, INT64 and FLOAT"));
}

TEST_CASE("axes, permutations and ranks are held against what is known of the inputs") {
  const std::string graph = header + "g (float[2, 3] x, float[4, 5] w, float v) => (y) { [n] y = d.F (x, w, v) }";
  const auto said = [&](const std::string& body) { return reason(body, graph, "(a, b, v) => (c)"); };
  CHECK_THAT(said("c = Softmax <axis = 5> (a)"), Contains("ai.onnx::Softmax (as it is at opset 17)") && Contains("5"));
  CHECK_THAT(said("c = Transpose <perm = [0, 2, 1]> (a)"), Contains("Transpose"));
  CHECK_THAT(said("t = Transpose (a)  c = MatMul (t, b)"), Contains("Incompatible dimensions"));
  CHECK_THAT(said("c = MatMul (a, v)"), Contains("MatMul"));
  CHECK_THAT(said("c = Concat <axis = 0> (a, b)"), Contains("Concat"));
  CHECK_THAT(said("c = Add (a, b)"), Contains("Incompatible dimensions"));
  CHECK_THAT(said("s = Constant <value_ints = [1]> ()  c = Squeeze (a, s)"), Contains("Squeeze"));
  CHECK_THAT(said("s = Constant <value_ints = [-1, -1]> ()  c = Reshape (a, s)"), Contains("-1"));
  CHECK_THAT(said("s = Constant <value_ints = [1, 1, 1]> ()  c = Pad (a, s)"), Contains("Pad"));
  CHECK_THAT(said("c = Conv (a, b)"), Contains("Conv"));
  CHECK_THAT(said("c = If (v) <then_branch = t () => (p) { p = Hardmax <axis = 7> (a) }, else_branch = e () => (q) { q "
                  "= Neg (a) }>"),
             Contains("If"));
}

TEST_CASE("what is not a node of a body itself is held against the shapes, too") {
  const auto said = [](const std::string& opset, const std::string& graph, const std::string& body) {
    const Outcome outcome =
        lower("<ir_version: 8, opset_import: [\"\" : " + opset + ", \"d\" : 1]> " + graph, {},
              "<domain: \"d\", opset_import: [\"\" : " + opset + "]> F (a) => (b) { " + body + " }");
    CHECK(outcome.unlowered == std::vector<std::string>{"n"});
    return outcome.reasons;
  };
  const std::string graph = "g (float[2, 3] x) => (float[2, 3] y) { [n] y = d.F (x) }";
  // made by a rule of the tool, of a node that OpenVINO computes in another way
  CHECK_THAT(said("12", graph, "b = Softmax <axis = 3> (a)"), Contains("Flatten"));
  CHECK_THAT(said("13", graph, "b = ReduceL1 <axes = [7]> (a)"), Contains("axis must be in"));
  // of no attribute, where the shape of the output is that of the input
  CHECK_THAT(said("13", "g (float x) => (float y) { [n] y = d.F (x) }", "b = Softmax (a)"), Contains("rank"));
  // in the function that the schema has for the operator
  CHECK_THAT(said("13", graph, "t = Constant <value_ints = [0, 1, 2]> ()  b = SoftmaxCrossEntropyLoss (a, t)"),
             Contains("NegativeLogLikelihoodLoss") || Contains("mismatch"));
}

TEST_CASE("a form that makes what the shapes refuse gives way to the next one, and a call of other shapes takes it") {
  const std::string rules =
      "<domain: \"d\", opset_import: [\"\" : 17]> F (a) => (b) { b = Softmax <axis = 2> (a) }"
      "<domain: \"d\", opset_import: [\"\" : 17]> F (a) => (b) { b = Neg (a) }";
  CHECK(nodes(lower(header + "g (float[2, 2] x, float[2, 2, 2] z) => (y, w) { y = d.F (x)  w = d.F (z) }", {},
                    rules)) == "y = Neg(x); w = Softmax(z)");
  // Each of many calls, and not only the first ones.
  std::string calls;
  for (int i = 0; i < 20; ++i) calls += "y" + std::to_string(i) + " = d.F (x)  ";
  CHECK_THAT(nodes(lower(header + "g (float[2, 2] x) => (y0) { " + calls + "}", {}, rules)), !Contains("Softmax"));
  // The shape of what a node of the model makes is inferred; far upstream in a large model, it
  // stays unknown.
  const auto behind = [&](int count) {
    std::string chain;
    for (int i = 0; i < count; ++i) chain += "x" + std::to_string(i + 1) + " = Relu (x" + std::to_string(i) + ")  ";
    const Outcome outcome = lower(
        header + "g (float[2, 2] x0) => (y) { " + chain + "y = d.F (x" + std::to_string(count) + ") }", {}, rules);
    return outcome.model.graph().node(count).op_type();
  };
  CHECK(behind(10) == "Neg");
  CHECK(behind(200) == "Neg");
  CHECK(behind(5'100) == "Softmax");
}

TEST_CASE("what the model itself says is not held against its shapes") {
  CHECK(nodes(lower(header + "g (float[2] x) => (y) { t = Softmax <axis = 5> (x)  y = d.F (t) }", {},
                    "<domain: \"d\", opset_import: [\"\" : 17]> F (a) => (b) { b = Neg (a) }")) ==
        "t = Softmax(x); y = Neg(t)");
}

TEST_CASE("what a rule quantizes without a zero point is of bytes, whatever is declared") {
  for (const int opset : {13, 19, 21}) {
    const std::string imports = "opset_import: [\"\" : " + std::to_string(opset);
    const Outcome outcome =
        lower("<ir_version: 8, " + imports + ", \"d\" : 1]> g (float[2] x) => (float[2] y) { y = d.F (x) }", {},
              "<domain: \"d\", " + imports +
                  "]> F (a) => (b) { s = Constant <value_float = 0.5> ()  b = QuantizeLinear (a, s) }");
    CHECK(outcome.model.graph().output(0).type().tensor_type().elem_type() == onnx::TensorProto::UINT8);
  }
}

TEST_CASE("an attribute that says it holds a message holds one") {
  onnx::NodeProto node;
  node.set_op_type("Optional");
  node.add_input("x");
  node.add_output("y");
  onnx::AttributeProto& type = *node.add_attribute();
  type.set_name("type");
  type.set_type(onnx::AttributeProto::TYPE_PROTO);
  const OperatorVersion* optional = find_operator("", "Optional", 25);
  REQUIRE(optional != nullptr);
  CHECK(schema_problem(node, *optional) == "attribute 'type' does not hold what its type says");
  type.mutable_tp()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  CHECK(schema_problem(node, *optional).empty());
  type.mutable_t();
  CHECK(schema_problem(node, *optional) == "attribute 'type' does not hold what its type says");
}

TEST_CASE("what a call hands to its function as a message is one") {
  onnx::ModelProto model =
      parsed(R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (y) { [n] y = d.F (x) }
    <domain: "d", opset_import: ["" : 17]> F <value> (a) => (b) { k = Constant <value: tensor = @value> ()  b = Identity (k) })");
  onnx::AttributeProto& value = *model.mutable_graph()->mutable_node(0)->add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  const Outcome none = lower_bytes(model.SerializeAsString());
  CHECK(none.unlowered == std::vector<std::string>{"n"});
  CHECK_THAT(none.reasons, Contains("its attribute 'value' says that it is tensor, and holds none"));
  value.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  value.mutable_t()->add_float_data(1);
  CHECK(lower_bytes(model.SerializeAsString()).unlowered.empty());
}

TEST_CASE("element types are compared as far as they are known") {
  const std::string float16 = header + "g (float16[2] x) => (float16[2] y) { [n] y = d.F (x) }";
  const std::string one = "c = Constant <value_float = 2.0> ()\n";
  const Outcome mixed =
      lower(float16, {}, "<domain: \"d\", opset_import: [\"\" : 17]> F (a) => (b) {\n" + one + " b = Mul (a, c) }");
  CHECK_THAT(
      mixed.reasons,
      Contains("line 3") && Contains("inputs 'A' and 'B' must have elements of one type, and have FLOAT16 and FLOAT"));
  CHECK(lower(of_floats, {}, "<domain: \"d\", opset_import: [\"\" : 17]> F (a) => (b) {\n" + one + " b = Mul (a, c) }")
            .unlowered.empty());
  CHECK_THAT(reason("b = Not (a)"),
             Contains("input 'X' cannot have elements of type FLOAT in version 1 of the operator"));
  CHECK_THAT(reason("b = Concat <axis = 0> (a, s)",
                    header + "g (float[2] x, int64[2] s) => (float[2] y) { [n] y = d.F (x, s) }", "(a, s) => (b)"),
             Contains("inputs 'inputs[0]' and 'inputs[1]' must have elements of one type, and have FLOAT and INT64"));
}

TEST_CASE("a rule makes no node that ONNX Runtime has no kernel for") {
  const std::string rule = "<domain: \"d\", opset_import: [\"\" : 17]> F (c, a) => (b) { b = Where (c, a, a) }";
  const auto made = [&](const std::string& type) {
    return nodes(
        lower(header + "g (bool[2] c, " + type + "[2] x) => (" + type + "[2] y) { y = d.F (c, x) }", {}, rule));
  };
  CHECK(made("float") == "y = Where(c, x, x)");
  CHECK_THAT(made("int16"),
             Contains("y/b/wide_x = Cast(x)") && Contains("y/b/wide = Where(c, y/b/wide_x, y/b/wide_y)"));
  CHECK_THAT(made("bool"), Contains("y = Or(") && !Contains("Where"));
  // What the model itself says stays.
  CHECK(nodes(lower(header + "g (bool[2] c, int16[2] x) => (int16[2] y) { y = Where (c, x, x) }")) ==
        "y = Where(c, x, x)");
}

TEST_CASE("nodes in subgraphs of a body are looked at, too") {
  const std::string rule = R"(<domain: "d", opset_import: ["" : 17]> F (c, a) => (b) {
    b = If (c) <then_branch = t () => (p) { p = Relu <bogus = 1> (a) }, else_branch = e () => (q) { q = Neg (a) }> })";
  const Outcome outcome = lower(header + "g (bool c, float[2] x) => (float[2] y) { [n] y = d.F (c, x) }", {}, rule);
  CHECK(outcome.unlowered == std::vector<std::string>{"n"});
  CHECK_THAT(outcome.reasons, Contains("no attribute 'bogus'"));
}

TEST_CASE("the inputs of a Scan's body have the element types of the Scan's inputs") {
  const auto scans = [](int opset, const std::string& lengths, const std::string& node) {
    const std::string imports = "opset_import: [\"\" : " + std::to_string(opset);
    const std::string model =
        "<ir_version: 8, " + imports + ", \"d\" : 1]> g (int64[2] s, float[2, 2] x) => (y) { [n] y = d.F (s, x) }";
    const std::string rule = "<domain: \"d\", " + imports +
                             "]> F (s, a) => (b) { last, b = Scan <num_scan_inputs = 1, body = step (k, v) => (k1, o) "
                             "{ k1 = Identity (k)  o = " +
                             node + " }> (" + lengths + "s, a) }";
    return lower(model, {}, rule).reasons;
  };
  CHECK_THAT(scans(17, "", "Not (v)"), Contains("input 'X' cannot have elements of type FLOAT"));
  CHECK_THAT(scans(17, "", "Not (k)"), Contains("input 'X' cannot have elements of type INT64"));
  CHECK(scans(17, "", "Neg (v)").empty());
  CHECK_THAT(scans(8, ",", "Not (v)"), Contains("input 'X' cannot have elements of type FLOAT"));
  CHECK_THAT(scans(8, ",", "Not (k)"), Contains("input 'X' cannot have elements of type INT64"));
  CHECK(scans(8, ",", "Neg (v)").empty());
}

TEST_CASE("what declines makes way for the next form, and for what the model's own function says") {
  const std::string rules = R"(
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Not (a) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) })";
  CHECK(nodes(lower(of_floats, {}, rules)) == "y = Neg(x)");
  const std::string own = R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Abs (a) })";
  CHECK(nodes(lower(of_floats + own, {}, R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Not (a) })")) ==
        "y = Abs(x)");
}

TEST_CASE("a built-in rule does not say a node that its operator's schema does not know") {
  // Relu's schema has a function body, which would drop the second input.
  const Outcome outcome =
      lower(of_floats + R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu (a, a) })");
  CHECK(outcome.unlowered == std::vector<std::string>{"n"});
  // A user's rule for the operator may.
  const Outcome replaced =
      lower(of_floats + R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Relu <k = 2> (a) })", {},
            R"(<domain: "", opset_import: ["" : 17]> Relu <k: int> (a) => (b) { b = Neg (a) })");
  CHECK(nodes(replaced) == "y = Neg(x)");
}

TEST_CASE("every call of a model of the usual size is looked into, however many nodes are before it") {
  // Concat takes inputs of one rank only, which a user's rule and a function of the model leave to
  // their callers. No value_info says the ranks.
  const std::string joins = R"(
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) {
      c = Constant <value: tensor = float[1, 2] {1, 2}> ()
      joined = Concat <axis: int = 0> (a, c)
      first = Constant <value: tensor = int64[1] {0}> ()
      end = Constant <value: tensor = int64[1] {2}> ()
      b = Slice (joined, first, end, first) })";
  const auto chain = [](int calls, int others, const std::string& last) {
    std::string text = header + "g (float[2, 2] x) => (float[k, l, m] y) { axes = Constant <value_ints = [0]> () ";
    std::string value = "x";
    const auto then = [&](const std::string& op) {
      const std::string made = value + "_";
      text += "[of_" + made + "] " + made + " = " + op + " (" + value + ") ";
      value = made;
    };
    for (int k = 0; k < calls; ++k) then("d.F");
    for (int k = 0; k < others; ++k) then(k % 2 == 0 ? "Relu" : "Neg");
    return text + "r = " + last + " [n] y = d.F (r) }";
  };
  const auto with_rank = [&](int calls, int others, int rank) {
    std::string text = chain(calls, others, rank == 3 ? "Unsqueeze (LAST, axes)" : "Abs (LAST)");
    std::string value = "x" + std::string(static_cast<size_t>(calls + others), '_');
    return text.replace(text.find("LAST"), 4, value);
  };
  for (const auto& nodes_before : {std::pair(0, 60), std::pair(9, 0), std::pair(9, 60)}) {
    const int calls = nodes_before.first;
    const int others = nodes_before.second;
    for (const bool own : {false, true}) {
      CAPTURE(calls, others, own);
      const auto lowered = [&](int rank) {
        return lower(with_rank(calls, others, rank) + (own ? joins : ""), {}, own ? "" : joins);
      };
      CHECK(lowered(2).unlowered.empty());
      const Outcome wrong = lowered(3);
      CHECK(wrong.unlowered == std::vector<std::string>{"n"});
      CHECK_THAT(wrong.reasons, Contains("All inputs to Concat must have same rank"));
    }
  }
  // Whatever comes after it in the body.
  LegalizeOptions folding;
  folding.fold = true;
  CHECK(lower(with_rank(0, 1, 3) + joins, folding).unlowered == std::vector<std::string>{"n"});
  // Behind what a rule of ours made, too.
  const Outcome behind = lower(
      R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1, "rknn_cst" : 1]> g (float[2, 2, 2] x) => (y) {
        h = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 1.0> (x)  [n] y = d.F (h) })",
      {}, joins);
  CHECK(behind.unlowered == std::vector<std::string>{"n"});
}

TEST_CASE("the shape of what a rule made of several nodes is known to the next rule") {
  const Outcome outcome = lower(
      R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1, "rknn_cst" : 1]> g (float[2, 3, 4, 5] x) => (y) {
        h = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 1.0> (x)
        [n] y = com.microsoft.BiasSoftmax <axis: int = 3, is_inner_broadcast: int = 0> (h, h) })");
  CHECK(outcome.unlowered.empty());
}

TEST_CASE("what is made for a node of a long name begins with the first part of the name") {
  const std::string rule = "<domain: \"d\", opset_import: [\"\" : 17]> F (a) => (b) { t = Neg (a)  b = Neg (t) }";
  // Of two nodes whose names begin alike, which must not come to be called alike.
  const auto names_of_made = [&](const std::string& name) {
    onnx::ModelProto model =
        parsed(header + "g (float[2] x) => (float[2] y) { [n] v = d.F (x)  [m] y = d.F (v) } " + rule);
    model.mutable_graph()->mutable_node(0)->set_name(name + "1");
    model.mutable_graph()->mutable_node(1)->set_name(name + "2");
    const Outcome outcome = lower_bytes(model.SerializeAsString());
    REQUIRE(outcome.model.graph().node_size() == 4);
    return std::pair(outcome.model.graph().node(0).output(0), outcome.model.graph().node(2).output(0));
  };
  const auto repeated = [](std::string_view part, int count) {
    std::string text;
    for (int index = 0; index < count; ++index) text += part;
    return text;
  };
  const std::string longest = repeated("n", 255);
  CHECK(names_of_made(longest) == std::pair(longest + "1/t", longest + "2/t"));
  CHECK(names_of_made(longest + "n") == std::pair(longest + "n/t", longest + "n/t_2"));
  CHECK(names_of_made(repeated("n", 100000)) == std::pair(longest + "n/t", longest + "n/t_2"));
  // No character is cut in two.
  const std::string cut = "n" + repeated("\u00e9", 127);
  CHECK(names_of_made(cut + "\u00e9") == std::pair(cut + "/t", cut + "/t_2"));
}

TEST_CASE("of a function with many nodes that rules lower, all that was made is counted") {
  std::string function = R"(<domain: "d", opset_import: ["" : 17, "rknn_cst" : 1]> F (a0) => (b) { )";
  for (int k = 0; k < 300; ++k)
    function += "a" + std::to_string(k + 1) +
                " = rknn_cst.cstThreshold <threshold: float = 0.5, value: float = 1.0> (a" + std::to_string(k) + ") ";
  const Outcome outcome = lower(R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1, "rknn_cst" : 1]>
    g (float[2] x) => (float[2] y) { y = d.F (x) } )" +
                                function + "b = Relu (a300) }");
  CHECK(outcome.nodes_made == std::vector<size_t>{static_cast<size_t>(outcome.model.graph().node_size())});
  CHECK(outcome.model.graph().node_size() > 600);
}

TEST_CASE("a node that stood in one call is judged anew in a call of another type") {
  const std::string graph = header + "g (float[2] x, bool[2] z) => (y, w) { y = d.F (x)  [n] w = d.F (z) } ";
  const std::string own = R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) })";
  const Outcome outcome = lower(graph + own);
  CHECK(outcome.unlowered == std::vector<std::string>{"n"});
  CHECK_THAT(outcome.reasons, Contains("BOOL"));
}

TEST_CASE("without a target, what nothing needs stays in the graphs that a function makes") {
  const Outcome outcome = lower(header + R"(g (float[2] x, bool t) => (float[2] y) { y = d.F (x, t) }
    <domain: "d", opset_import: ["" : 17]> F (a, t) => (b) {
      b = If (t) <then_branch = g () => (float[2] r) { r = Abs (a)  k = Exp (r) },
                  else_branch = h () => (float[2] s) { s = Neg (a) }> })");
  REQUIRE(outcome.model.graph().node_size() == 1);
  CHECK(body(outcome.model.graph().node(0), "then_branch").node_size() == 2);
}

TEST_CASE("subgraphs that a rule brings about nest no deeper than readers take") {
  std::string functions;
  for (int k = 0; k < 40; ++k) {
    const std::string inner = k == 39 ? "p = Relu (a)" : "p = d.F" + std::to_string(k + 1) + " (c, a)";
    functions += "<domain: \"d\", opset_import: [\"\" : 17, \"d\" : 1]> F" + std::to_string(k) +
                 " (c, a) => (b) { b = If (c) <then_branch = t () => (p) { " + inner +
                 " }, else_branch = e () => (q) { q = Neg (a) }> } ";
  }
  const auto calls = [&](const std::string& first) {
    return lower(header + "g (bool c, float[2] x) => (float[2] y) { [n] y = d." + first + " (c, x) } " + functions);
  };
  CHECK(calls("F10").unlowered.empty());
  const Outcome too_deep = calls("F0");
  REQUIRE_FALSE(too_deep.unlowered.empty());
  CHECK(too_deep.unlowered.front() == "n");
  CHECK_THAT(too_deep.reasons, Contains("nest subgraphs more than 31 deep"));
}

TEST_CASE("types go through functions that stay") {
  LegalizeOptions options;
  options.kept = {{.domain = "k", .op_type = ""}};
  const std::string kept =
      R"(<domain: "k", opset_import: ["" : 17]> Keep <to: int = 10> (a) => (b) { b = Cast <to: int = @to> (a) })";
  const std::string rules = R"(
    ["where": "dtype(a) == float16 and rank(a) == 2 and dim(a, 1) == 3"] <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) }
    ["where": "dtype(a) == double"] <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Abs (a) })";
  const std::string imports = R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1, "k" : 1]> )";
  CHECK(nodes(lower(imports + "g (float[2, 3] x) => (float16[2, 3] y) { h = k.Keep (x)  y = d.F (h) } " + kept, options,
                    rules)) == "h = k.Keep(x); y = Neg(h)");
  CHECK(nodes(lower(imports + "g (float[2, 3] x) => (double[2, 3] y) { h = k.Keep <to = 11> (x)  y = d.F (h) } " + kept,
                    options, rules)) == "h = k.Keep(x); y = Abs(h)");
}

TEST_CASE("inference runs with the version that a node means") {
  // The shape inference of Reshape 13, unlike 14's, does not know the rank of what is reshaped to a
  // shape that is computed.
  LegalizeOptions options;
  options.target_opset = 13;
  const std::string rule =
      R"(["where": "rank(a) == 4"] <domain: "d", opset_import: ["" : 13]> F (a) => (b) { b = Neg (a) })";
  const Outcome outcome =
      lower(header + "g (float[n, 32] x, int64[4] s) => (float[a, b, c, e] y) { r = Reshape (x, s)  y = d.F (r) }",
            options, rule);
  CHECK(nodes(outcome) == "r = Reshape(x, s); y = Neg(r)");
}

TEST_CASE("what a value_info says wrongly goes, and what was inferred counts") {
  const std::string rules = R"(
    ["where": "rank(a) == 2"] <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) }
    ["where": "rank(a) == 3"] <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Abs (a) })";
  const Outcome wrong_rank = lower(
      header + "g (float[2, 2, 2] x) => (float[2, 2, 2] y) <float[2, 3] q> { q = Relu (x)  y = d.F (q) }", {}, rules);
  CHECK(nodes(wrong_rank) == "q = Relu(x); y = Abs(q)");
  CHECK(wrong_rank.contradicted == std::vector<std::string>{"q"});
  CHECK(wrong_rank.model.graph().value_info_size() == 0);

  const std::string casts =
      R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { t = Cast <to = 11> (a)  b = Neg (t) })";
  const Outcome wrong_types = lower(header +
                                        "g (float[2] x) => (float[2] y, float[2] z) <float[2] q, float[2] r> { q = d.F "
                                        "(x)  r = Relu (x)  y = Abs (r)  z = d.F (r) }",
                                    {}, casts);
  CHECK(wrong_types.contradicted == std::vector<std::string>{"z", "q"});
  REQUIRE(wrong_types.model.graph().value_info_size() == 1);
  CHECK(wrong_types.model.graph().value_info(0).name() == "r");
  CHECK(wrong_types.model.graph().output(1).type().tensor_type().elem_type() == onnx::TensorProto::DOUBLE);
}

TEST_CASE("what an expanded node carried is kept on what it became") {
  onnx::ModelProto model =
      parsed(R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { [n] y = d.F (x) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { t = Neg (a)  b = Relu (t) })");
  onnx::NodeProto& node = *model.mutable_graph()->mutable_node(0);
  node.set_doc_string("from layer 3");
  auto& property = *node.add_metadata_props();
  property.set_key("namespace");
  property.set_value("encoder/3");
  const Outcome outcome = lower_bytes(model.SerializeAsString());
  REQUIRE(outcome.model.graph().node_size() == 2);
  for (const onnx::NodeProto& made : outcome.model.graph().node()) {
    REQUIRE(made.metadata_props_size() == 3);
    CHECK(made.metadata_props(2).key() == "namespace");
    CHECK(made.metadata_props(2).value() == "encoder/3");
  }
  CHECK(outcome.model.graph().node(0).doc_string().empty());
  CHECK(outcome.model.graph().node(1).doc_string() == "from layer 3");
}

TEST_CASE("what an expanded node carried goes where the IR version does not have it") {
  onnx::ModelProto model = parsed(
      R"(<ir_version: 10, opset_import: ["" : 17, "d" : 1]> g (float[2] x) => (float[2] y) { [n] y = d.F (x) })");
  auto& property = *model.mutable_graph()->mutable_node(0)->add_metadata_props();
  property.set_key("namespace");
  property.set_value("encoder/3");
  LegalizeOptions options;
  options.ir_version = 9;
  for (const std::string made : {"b = Relu (a)", "t = Neg (a)  b = Relu (t)"}) {
    const Outcome outcome = lower_bytes(model.SerializeAsString(), options,
                                        R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { )" + made + " }");
    REQUIRE(outcome.model.graph().node_size() > 0);
    for (const onnx::NodeProto& node : outcome.model.graph().node()) CHECK(node.metadata_props_size() == 0);
    CHECK(outcome.model.graph().node(0).input(0) == "x");
    REQUIRE(outcome.dropped_fields.size() == 1);
    CHECK_THAT(outcome.dropped_fields[0], Contains("metadata"));
  }
}

// A native rule that assumes something, and one that says a node by itself.
const NativeRule assumes{.domain = "test.native",
                         .op_type = "Assumes",
                         .summary = "Assumes something.",
                         .source = "this test",
                         .lower = [](const CallSite&) -> Lowering {
                           Body body("test.native", "Assumes", {"a"}, {"b"}, 17);
                           body("b", "Neg", {"a"});
                           onnx::FunctionProto function = body.function();
                           add_assumption(function, "something is taken for granted", "say so");
                           return function;
                         }};
const NativeRule::Registration assumes_registration{assumes};
const NativeRule turns{.domain = "test.native",
                       .op_type = "Turns",
                       .summary = "Comes round to itself.",
                       .source = "this test",
                       .lower = [](const CallSite&) -> Lowering {
                         Body body("test.native", "Turns", {"a"}, {"b"}, 17);
                         body.import("test.native", 1);
                         body("b", "test.native.Turns", {"a"});
                         return body.function();
                       }};
const NativeRule::Registration turns_registration{turns};

TEST_CASE("a refused form takes with it what it assumed and what was set on its nodes") {
  const std::string refused = R"(<domain: "d", opset_import: ["" : 17, "test.native" : 1, "nowhere" : 1]>
    F (a) => (b) { t = test.native.Assumes (a)  u = nowhere.G <k = 1> (t)  b = Relu (u) } )";
  const std::string fits = R"(<domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Abs (a) })";
  LegalizeOptions options;
  options.settings = {parse_attribute_setting("nowhere::G.k=2")};
  const Outcome outcome = lower(of_floats, options, refused + fits);
  CHECK(nodes(outcome) == "y = Abs(x)");
  CHECK(outcome.assumptions.empty());
  CHECK(outcome.unused_settings == std::vector<std::string>{"nowhere::G.k=2"});

  const std::string assumed =
      R"(<domain: "d", opset_import: ["" : 17, "test.native" : 1]> F (a) => (b) { b = test.native.Assumes (a) })";
  CHECK(lower(of_floats, {}, assumed).assumptions ==
        std::vector<std::string>{"something is taken for granted; if that is not so, say so"});
}

TEST_CASE("a native rule that comes round to itself declines") {
  const Outcome outcome = lower(
      R"(<ir_version: 8, opset_import: ["" : 17, "test.native" : 1]> g (float[2] x) => (float[2] y) { [n] y = test.native.Turns (x) })");
  CHECK(outcome.unlowered == std::vector<std::string>{"n"});
  CHECK_THAT(outcome.reasons, Contains("it would expand to itself"));
}

TEST_CASE("a CastLike of a known type is written as Cast, at every opset") {
  for (const int opset : {13, 15, 19, 21}) {
    const std::string imports = R"(<ir_version: 8, opset_import: ["" : )" + std::to_string(opset) + R"(, "d" : 1]> )";
    const std::string rule =
        R"(<domain: "d", opset_import: ["" : 18]> F (a, s) => (b) { t = CastLike (s, a)  b = Mul (a, t) })";
    CHECK(nodes(lower(imports + "g (float16[2] x, float[2] s) => (float16[2] y) { [n] y = d.F (x, s) }", {}, rule)) ==
          "n/t = Cast(s); y = Mul(x, n/t)");
    // A model's own CastLike is not touched.
    if (opset >= 15)
      CHECK(nodes(lower(imports + "g (float16[2] x, float[2] s) => (float16[2] y) { y = CastLike (s, x) }")) ==
            "y = CastLike(s, x)");
  }
}

}  // namespace
}  // namespace onnx_lower

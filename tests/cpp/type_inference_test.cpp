#include "types/type_inference.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>

#include "catch.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/printer.h"
#include "onnx/defs/schema.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// A scope that reads a GraphProto as it is.
class GraphScope final : public ValueScope {
 public:
  explicit GraphScope(const onnx::GraphProto& graph, const ValueScope* enclosing = nullptr,
                      const onnx::NodeProto* holder = nullptr)
      : enclosing_(enclosing), holder_(holder) {
    for (const auto& input : graph.input()) {
      inputs_.emplace(input.name(), static_cast<int>(inputs_.size()));
      if (input.has_type()) types_[input.name()] = input.type();
    }
    for (const auto* values : {&graph.value_info(), &graph.output()}) {
      for (const auto& value : *values) {
        if (value.has_type()) types_[value.name()] = value.type();
      }
    }
    for (const auto& tensor : graph.initializer()) {
      types_.emplace(tensor.name(), type_of_tensor(tensor));
      if (inputs_.count(tensor.name()) == 0) constants_[tensor.name()] = &tensor;
    }
    for (const auto& node : graph.node()) {
      for (const auto& output : node.output()) producers_.emplace(output, &node);
      if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t()) {
        constants_[node.output(0)] = &node.attribute(0).t();
      }
    }
  }

  bool defines(std::string_view value) const override {
    return inputs_.count(std::string(value)) + producers_.count(std::string(value)) +
               constants_.count(std::string(value)) >
           0;
  }
  const onnx::TypeProto* declared_type(std::string_view value) const override {
    const auto found = types_.find(std::string(value));
    return found == types_.end() ? nullptr : &found->second;
  }
  const onnx::TensorProto* constant(std::string_view value) const override { return find(constants_, value); }
  const onnx::NodeProto* producer(std::string_view value) const override { return find(producers_, value); }
  const ValueScope* enclosing() const override { return enclosing_; }
  const onnx::NodeProto* holder() const override { return holder_; }
  int graph_input_index(std::string_view value) const override {
    const auto found = inputs_.find(std::string(value));
    return found == inputs_.end() ? -1 : found->second;
  }

 private:
  template <typename Pointer>
  static Pointer find(const std::unordered_map<std::string, Pointer>& map, std::string_view name) {
    const auto found = map.find(std::string(name));
    return found == map.end() ? nullptr : found->second;
  }

  const ValueScope* enclosing_;
  const onnx::NodeProto* holder_;
  std::unordered_map<std::string, int> inputs_;
  std::map<std::string, onnx::TypeProto> types_;
  std::unordered_map<std::string, const onnx::TensorProto*> constants_;
  std::unordered_map<std::string, const onnx::NodeProto*> producers_;
};

onnx::GraphProto parse(const std::string& text) {
  onnx::GraphProto graph;
  const auto status = onnx::OnnxParser::Parse(graph, text.c_str());
  INFO(status.ErrorMessage());
  REQUIRE(status.IsOK());
  return graph;
}

std::string text_of(const onnx::TypeProto* type) { return type == nullptr ? "unknown" : onnx::ProtoToString(*type); }

struct Inferred {
  explicit Inferred(const std::string& text, int64_t opset = 18)
      : graph(parse(text)), scope(graph), types({{"", opset}, {"custom", 1}}) {}

  std::string operator()(std::string_view value, Detail detail = Detail::dimensions) {
    return text_of(types.type_of(scope, value, detail));
  }

  onnx::GraphProto graph;
  GraphScope scope;
  TypeInference types;
};

// The scope of the first body of the node that has this output.
struct Body {
  Body(Inferred& around, std::string_view output)
      : holder(*around.scope.producer(output)),
        scope(holder.attribute(0).g(), &around.scope, &holder),
        types(around.types) {}

  std::string operator()(std::string_view value, Detail detail = Detail::dimensions) {
    return text_of(types.type_of(scope, value, detail));
  }

  const onnx::NodeProto& holder;
  GraphScope scope;
  TypeInference& types;
};

}  // namespace

TEST_CASE("a declared type with element type and shape is taken as it is") {
  Inferred type("g (float[2, 3] x) => (float[2, 3] y) <float[2, 4] a> { a = Relu (x)  y = custom.F (a) }");
  CHECK(type("a", Detail::shape) == "float[2,4]");
  CHECK(type("y") == "float[2,3]");
}

TEST_CASE("what is not declared is inferred from the producer") {
  Inferred type("g (float[2, 3] x) => (y) { a = Transpose (x)  b = Cast <to = 11> (a)  y = MatMul (x, a) }");
  CHECK(type("b") == "double[3,2]");
  CHECK(type("y") == "float[2,2]");
}

TEST_CASE("inference fills what a declaration leaves open, and declared numbers win") {
  Inferred type(
      "g (float[2, 3] x) => (y) <float[] a, float[unk__0, 9] b> { a = Relu (x)  b = Relu (x)  y = custom.F (a, b) }");
  CHECK(type("a", Detail::element_type) == "float[]");
  CHECK(type("a", Detail::shape) == "float[2,3]");
  CHECK(type("b", Detail::shape) == "float[?,9]");
  CHECK(type("b", Detail::dimensions) == "float[2,9]");
}

TEST_CASE("a dimension declared as -1 is unknown") {
  Inferred type("g (float[2, 3] x) => (y) { y = Relu (x) }");
  onnx::TypeProto declared = type_of_tensor(onnx::TensorProto());
  declared.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(-1);
  auto& value = *type.graph.add_value_info();
  value.set_name("x2");
  *value.mutable_type() = declared;
  *type.graph.mutable_node(0)->mutable_output(0) = "x2";
  GraphScope scope(type.graph);
  const onnx::TypeProto* found = type.types.type_of(scope, "x2", Detail::shape);
  REQUIRE(found != nullptr);
  CHECK_FALSE(found->tensor_type().shape().dim(0).has_dim_value());
}

TEST_CASE("an operator that nobody knows gives an unknown type, and what does not depend on it is known") {
  Inferred type(
      "g (float[2] x) => (y) { a = custom.F (x)  b = NoSuchOperator (x)  c = Cast <to = 7> (a)  y = Add (a, x) }");
  CHECK(type("a") == "unknown");
  CHECK(type("b") == "unknown");
  CHECK(type("c") == "int64[]");
  CHECK(type("y") == "unknown");
  CHECK(type("nowhere") == "unknown");
  CHECK(type("") == "unknown");
}

TEST_CASE("constants have the type of their tensor") {
  Inferred type(
      "g (float[2] x) => (y) <int64[2] i = {1, 2}> { c = Constant <value = float[1, 1] {3.0}> ()  d = Constant "
      "<value_ints = [1, 2, 3]> ()  y = Add (x, c) }");
  CHECK(type("i") == "int64[2]");
  CHECK(type("c") == "float[1,1]");
  CHECK(type("d") == "int64[3]");
  CHECK(type("y") == "float[1,2]");
}

TEST_CASE("a computed shape gives its dimensions") {
  const std::string text =
      R"(g (float[N, 3, 4, 5] x) => (y) <int64[1] one = {1}, int64[1] rest = {-1}, int64 first = {0}> {
    s = Shape (x)  c = Gather (s, one)  s0 = Gather (s, first)  zero = Constant <value_int = 0> ()  axes = Constant <value_ints = [0]> ()
    n = Unsqueeze (s0, axes)  shape = Concat <axis = 0> (n, c, rest)  y = Reshape (x, shape)
    other = Concat <axis = 0> (c, c)  z = ConstantOfShape (other) })";
  Inferred type(text);
  CHECK(type("y") == "float[N,3,?]");
  CHECK(type("z") == "float[3,3]");
}

TEST_CASE("a shape is computed through values whose types are declared") {
  Inferred type(
      R"(g (float[2, 3, 4] x) => (y) <int64[3] s, int64[1] c, int64[1] one = {1}, int64[1] rest = {-1}, int64[2] shape> {
    s = Shape (x)  c = Gather (s, one)  shape = Concat <axis = 0> (c, rest)  y = Reshape (x, shape) })");
  CHECK(type("y") == "float[3,8]");
}

TEST_CASE("element types need no shapes") {
  Inferred type(R"(g (float16[2] x, y0, bool c) => (y) {
    a = Relu (x)  b = custom.F (x)  d = Add (b, a)  e = Where (c, d, x)  f = Cast <to = 7> (b)  s = Shape (b)  l = Less (b, b)  p = Concat <axis = 0> (b, b, d)
    q = NoSuchOperator (x)  r = Relu (q)  i = If (c) <then_branch = t () => (u) { u = Relu (x) }, else_branch = e () => (v) { v = Exp (x) }>  j = Neg (i) })");
  for (const auto* name : {"a", "d", "e", "p", "j"})
    CHECK_THAT(type(name, Detail::element_type), Catch::StartsWith("float16["));
  for (const auto* name : {"f", "s"}) CHECK_THAT(type(name, Detail::element_type), Catch::StartsWith("int64["));
  CHECK(type("l", Detail::element_type) == "bool[]");
  CHECK(type("r", Detail::element_type) == "unknown");
  CHECK(type("a", Detail::shape) == "float16[2]");
}

TEST_CASE("the branches of an If give its type, with the values that they capture") {
  Inferred type(R"(g (bool c, float[2, 3] x) => (y) { a = Transpose (x)
    y = If (c) <then_branch = t () => (tb) { tb = Relu (a) }, else_branch = e () => (eb) { e0 = MatMul (a, x) eb = MatMul (e0, a) }> })");
  CHECK(type("y") == "float[3,2]");
  Body branch(type, "y");
  CHECK(branch("a") == "float[3,2]");
  CHECK((branch("tb") == "float[3,2]" || branch("eb") == "float[3,2]"));
}

TEST_CASE("the inputs of a Loop's body take their types from the Loop's inputs, without shapes") {
  Inferred type(R"(g (int64 m, bool c, float[2, 3] x) => (y, z) {
    y, z = Loop (m, c, x) <body = b (i, cond, v) => (cond2, w, u) { cond2 = Identity (cond)  w = Concat <axis = 0> (v, x)  u = Relu (x) }> })");
  Body body(type, "y");
  CHECK(body("i") == "int64");
  CHECK(body("cond") == "bool");
  CHECK(text_of(type.types.type_of(body.scope, "v", Detail::shape)) == "float[]");
  CHECK(body("w") == "float[]");
  CHECK(body("u") == "float[2,3]");
  CHECK(type("y") == "float[]");
  CHECK(type("z") == "float[?,2,3]");
}

TEST_CASE("the inputs of a Scan's body lose the scanned axis") {
  const std::string text = R"(g (float[3] s, float[7, 3] x, float[3, 7] t) => (y, z) {
    y, z = Scan <body = b (s0, x0, t0) => (s1, z0) { a = Add (s0, x0)  s1 = Add (a, t0)  z0 = Identity (s1) },
                 num_scan_inputs = 2, scan_input_axes = [0, -1]> (s, x, t) })";
  Inferred type(text);
  Body body(type, "y");
  CHECK(body("s0") == "float[3]");
  CHECK(body("x0") == "float[3]");
  CHECK(body("t0") == "float[3]");
  CHECK(type("z") == "float[7,3]");
}

TEST_CASE("types come through bodies nested in bodies") {
  Inferred type(R"(g (bool c, float[2, 3] x) => (y) {
    y = If (c) <then_branch = t () => (tb) { tb = If (c) <then_branch = tt () => (q) { q = Relu (x) }, else_branch = te () => (r) { r = Exp (x) }> },
                else_branch = e () => (eb) { eb = Neg (x) }> })");
  CHECK(type("y") == "float[2,3]");
}

TEST_CASE("shapes are computed in bodies too, with constants from inside and outside") {
  Inferred type(R"(g (bool c, float[2, 3, 4] x, int64[1] m) => (y) <int64[1] one = {1}> {
    y = If (c) <then_branch = t () => (tb) <int64[1] rest = {-1}> { s = Shape (x)  n = Gather (s, one)  k = Constant <value_ints = [2]> ()
                                                                    shape = Concat <axis = 0> (n, k, rest)  tb = Reshape (x, shape) },
                else_branch = e () => (eb) { k = Constant <value = int64[1] {2}> ()  shape = Concat <axis = 0> (k, m, m)  eb = Expand (x, shape) }> })");
  CHECK(type("y") == "float[?,?,4]");
  *type.graph.mutable_node(0)->mutable_attribute(1)->mutable_g() = type.graph.node(0).attribute(0).g();
  type.types.forget(type.scope);
  CHECK(type("y") == "float[3,2,4]");
}

TEST_CASE("bodies nested too deeply are unknown and do no harm") {
  onnx::GraphProto graph = parse("g (bool c, float[2] x) => (y) { y = Relu (x) }");
  std::string text = "q = Relu (x)";
  for (int depth = 0; depth < 90; ++depth) {
    text = "q = If (c) <then_branch = t () => (q) {" + text + "}, else_branch = e () => (q) {q = Neg (x)}>";
  }
  Inferred type("g (bool c, float[2] x) => (q) {" + text + "}");
  CHECK(type("q") == "unknown");
}

TEST_CASE("a chain of 100,000 nodes is no problem") {
  onnx::GraphProto graph = parse("g (float[2, 3] x) => (y) { y = Relu (x) }");
  graph.clear_node();
  for (int i = 0; i < 100'000; ++i) {
    auto& node = *graph.add_node();
    node.set_op_type(i % 2 == 0 ? "Relu" : "Transpose");
    node.add_input(i == 0 ? "x" : "v" + std::to_string(i - 1));
    node.add_output("v" + std::to_string(i));
  }
  const GraphScope scope(graph);
  TypeInference types({{"", 18}});
  CHECK(text_of(types.type_of(scope, "v99999", Detail::dimensions)) == "float[2,3]");
}

TEST_CASE("a cycle in the graph ends") {
  Inferred type("g (float[2] x) => (y) { a = Add (x, y)  y = Add (a, x) }");
  CHECK((type("y") == "unknown" || type("y") == "float[]"));
}

TEST_CASE("nodes that are not as their schema wants them are unknown") {
  Inferred type(
      R"(g (float[2] x) => (y) { a = Cast (x)  b = Cast <to = "float"> (x)  c = Relu ()  d = Concat (x, x)  e = Relu (x, x)
                   f = Softmax <axis = 99> (x)  h = Reshape (x)  i = Constant ()  j = If (x)  k = Relu (x)  y = Relu (x) })");
  type.graph.mutable_node(0)->add_attribute()->set_name("to");
  for (const auto* name : {"a", "b", "c", "d", "e", "f", "h", "i", "j"}) CHECK(type(name) == "unknown");
  TypeInference no_opset({});
  CHECK(text_of(no_opset.type_of(type.scope, "k")) == "unknown");
  CHECK(text_of(no_opset.type_of(type.scope, "x")) == "float[2]");
  TypeInference odd_opset({{"", -1}});
  CHECK(text_of(odd_opset.type_of(type.scope, "k")) == "unknown");
  TypeInference other_name({{"ai.onnx", 18}});
  CHECK(text_of(other_name.type_of(type.scope, "k")) == "float[2]");
}

TEST_CASE("a forgotten value is looked up again") {
  Inferred type("g (float[2] x) => (y) { y = Relu (x) }");
  CHECK(type("y") == "float[2]");
  type.graph.mutable_node(0)->set_op_type("Shape");
  CHECK(type("y") == "float[2]");
  type.types.forget(type.scope, "y");
  CHECK(type("y") == "int64[1]");
  type.graph.mutable_node(0)->set_op_type("Size");
  type.types.forget(type.scope);
  CHECK(type("y") == "int64");
}

TEST_CASE("no operator of any version makes inference crash on unknown or odd inputs") {
  const std::vector<onnx::TypeProto> odd_types = [] {
    onnx::TypeProto unknown, scalar = tensor_type(1), vector = tensor_type(7), no_element_type = tensor_type(0),
                             no_shape = tensor_type(1), sequence, deep;
    vector.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(3);
    no_shape.mutable_tensor_type()->clear_shape();
    *sequence.mutable_sequence_type()->mutable_elem_type() = scalar;
    deep = scalar;
    for (int i = 0; i < 6; ++i) deep.mutable_tensor_type()->mutable_shape()->add_dim();
    return std::vector<onnx::TypeProto>{unknown, scalar, vector, no_element_type, no_shape, sequence, deep};
  }();
  for (const auto& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    for (const onnx::TypeProto& type : odd_types) {
      for (const int64_t number : {int64_t{0}, int64_t{-1}, int64_t{1} << 40}) {
        onnx::GraphProto graph;
        auto& node = *graph.add_node();
        node.set_op_type(schema.Name());
        node.set_domain(schema.domain());
        for (int i = 0; i < std::min(schema.max_input(), 6); ++i) {
          node.add_input("i" + std::to_string(i));
          auto& input = *graph.add_input();
          input.set_name(node.input(i));
        }
        for (int i = 0; i < std::min(schema.max_output(), 6); ++i) node.add_output("o" + std::to_string(i));
        for (const auto& [name, description] : schema.attributes()) {
          auto& attribute = *node.add_attribute();
          attribute.set_name(name);
          attribute.set_type(description.type);
          if (description.type == onnx::AttributeProto::INT) attribute.set_i(number);
          if (description.type == onnx::AttributeProto::INTS) attribute.add_ints(number);
          if (description.type == onnx::AttributeProto::GRAPH) attribute.mutable_g()->add_output()->set_name("i0");
          if (description.type == onnx::AttributeProto::TENSOR) attribute.mutable_t()->add_dims(number);
        }
        INFO(schema.domain() << "::" << schema.Name() << " " << schema.SinceVersion());
        if (type.value_case() != onnx::TypeProto::VALUE_NOT_SET) {
          for (auto& input : *graph.mutable_input()) *input.mutable_type() = type;
        }
        const GraphScope scope(graph);
        TypeInference types({{schema.domain(), schema.SinceVersion()}});
        for (const auto& output : node.output()) CHECK_NOTHROW(types.type_of(scope, output, Detail::dimensions));
      }
    }
  }
}

}  // namespace onnx_lower

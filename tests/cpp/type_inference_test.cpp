// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "types/type_inference.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>

#include "catch.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/printer.h"
#include "onnx/defs/schema.h"
#include "types/captured_values.h"
#include "types/constants.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// What operators mean at an opset, or at the opsets of several domains.
class Opsets final : public OperatorMeanings {
 public:
  explicit Opsets(std::map<std::string, int64_t> versions) : versions_(std::move(versions)) {}
  OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type, const std::string&) const override {
    const auto function = functions.find(op_type);
    if (function != functions.end()) return {nullptr, &function->second};
    const auto version = versions_.find(domain == "ai.onnx" ? "" : std::string(domain));
    return {version == versions_.end() ? nullptr : find_operator(domain, op_type, version->second), nullptr};
  }

  std::map<std::string, onnx::FunctionProto> functions;

 private:
  std::map<std::string, int64_t> versions_;
};

// The same name has the same number everywhere.
ValueId id_of(std::string_view name) {
  static std::map<std::string, ValueId, std::less<>> ids = {{"", absent_value}};
  return ids.emplace(name, static_cast<ValueId>(ids.size())).first->second;
}

// A scope that reads a GraphProto as it is.
class MessageScope final : public ValueScope {
 public:
  MessageScope(const onnx::GraphProto& graph, const OperatorMeanings& meanings, const MessageScope* enclosing = nullptr,
               const onnx::NodeProto* holder = nullptr)
      : meanings_(meanings), enclosing_(enclosing) {
    if (holder != nullptr) holder_ = enclosing->view(*holder);
    for (const auto& input : graph.input()) {
      inputs_.emplace(id_of(input.name()), static_cast<int>(inputs_.size()));
      if (input.has_type()) types_[id_of(input.name())] = input.type();
    }
    for (const auto* values : {&graph.value_info(), &graph.output()}) {
      for (const auto& value : *values) {
        if (value.has_type()) types_[id_of(value.name())] = value.type();
      }
    }
    for (const auto& tensor : graph.initializer()) {
      types_.emplace(id_of(tensor.name()), type_of_tensor(tensor));
      if (inputs_.count(id_of(tensor.name())) == 0) constants_[id_of(tensor.name())] = &tensor;
    }
    for (const auto& node : graph.node()) {
      for (const auto& output : node.output()) producers_.emplace(id_of(output), &node);
      if (auto tensor = tensor_of_constant_node(node))
        constants_[id_of(node.output(0))] = &tensors_.emplace_back(std::move(*tensor));
    }
  }

  NodeView view(const onnx::NodeProto& node) const {
    const auto ids = [&](const auto& names) {
      std::vector<ValueId>& values = ids_.emplace_back();
      for (const std::string& name : names) values.push_back(id_of(name));
      return std::span<const ValueId>(values);
    };
    const bool is_standard = node.domain().empty() || node.domain() == "ai.onnx";
    return {&node,
            ids(node.input()),
            ids(node.output()),
            meanings_.meaning_of(node.domain(), node.op_type(), node.overload()),
            is_standard ? role_of(node.op_type()) : OperatorRole::none,
            has_body(node)};
  }
  const onnx::NodeProto& message(const NodeView& node) const override {
    return *static_cast<const onnx::NodeProto*>(node.node);
  }

  bool defines(ValueId value) const override {
    return inputs_.count(value) + producers_.count(value) + constants_.count(value) > 0;
  }
  const onnx::TypeProto* declared_type(ValueId value) const override {
    const auto found = types_.find(value);
    return found == types_.end() ? nullptr : &found->second;
  }
  const onnx::TypeProto* constant_type(ValueId value) const override {
    const onnx::TensorProto* tensor = constant(value);
    return tensor == nullptr ? nullptr : &constant_types_.emplace_back(type_of_tensor(*tensor));
  }
  int element_type(ValueId) const override { return 0; }
  const onnx::TensorProto* constant(ValueId value) const override { return find(constants_, value); }
  NodeView producer(ValueId value) const override {
    const onnx::NodeProto* node = find(producers_, value);
    return node == nullptr ? NodeView() : view(*node);
  }
  const ValueScope* enclosing() const override { return enclosing_; }
  NodeView holder() const override { return holder_; }
  int graph_input_index(ValueId value) const override {
    const auto found = inputs_.find(value);
    return found == inputs_.end() ? -1 : found->second;
  }
  OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type,
                             const std::string& overload) const override {
    return meanings_.meaning_of(domain, op_type, overload);
  }
  ValueId value_of(std::string_view name) const override { return id_of(name); }

 private:
  template <typename Pointer>
  static Pointer find(const std::unordered_map<ValueId, Pointer>& map, ValueId value) {
    const auto found = map.find(value);
    return found == map.end() ? nullptr : found->second;
  }

  const OperatorMeanings& meanings_;
  const MessageScope* enclosing_;
  NodeView holder_;
  std::unordered_map<ValueId, int> inputs_;
  std::map<ValueId, onnx::TypeProto> types_;
  std::unordered_map<ValueId, const onnx::TensorProto*> constants_;
  std::unordered_map<ValueId, const onnx::NodeProto*> producers_;
  mutable std::deque<std::vector<ValueId>> ids_;
  std::deque<onnx::TensorProto> tensors_;
  mutable std::deque<onnx::TypeProto> constant_types_;
};

onnx::GraphProto parsed_graph(const std::string& text) {
  onnx::GraphProto graph;
  const auto status = onnx::OnnxParser::Parse(graph, text.c_str());
  INFO(status.ErrorMessage());
  REQUIRE(status.IsOK());
  return graph;
}

std::string text_of(const onnx::TypeProto* type) { return type == nullptr ? "unknown" : onnx::ProtoToString(*type); }

struct Inferred {
  explicit Inferred(const std::string& text, int64_t opset = 18)
      : graph(parsed_graph(text)), opsets({{"", opset}}), scope(graph, opsets) {}

  std::string operator()(std::string_view value, Detail detail = Detail::dimensions) {
    return text_of(types.type_of(scope, id_of(value), detail));
  }
  void forget(std::string_view value) { types.forget(scope, id_of(value)); }
  bool is_contradicted(std::string_view value) const {
    const std::vector<ValueId> all = types.contradicted(scope);
    return std::find(all.begin(), all.end(), id_of(value)) != all.end();
  }

  onnx::GraphProto graph;
  Opsets opsets;
  MessageScope scope;
  InferredCalls calls;
  TypeInference types{calls};
};

// The scope of the first body of the node that has this output.
struct TypesInBody {
  TypesInBody(Inferred& around, std::string_view output)
      : holder(around.scope.message(around.scope.producer(id_of(output)))),
        scope(holder.attribute(0).g(), around.opsets, &around.scope, &holder),
        types(around.types) {}

  std::string operator()(std::string_view value, Detail detail = Detail::dimensions) {
    return text_of(types.type_of(scope, id_of(value), detail));
  }

  const onnx::NodeProto& holder;
  MessageScope scope;
  TypeInference& types;
};

}  // namespace

TEST_CASE("what is inferred goes before what is declared, which holds where nothing is inferred") {
  Inferred type(
      "g (float[2, 3] x) => (float[2, 3] y) <float[2, 4] a, double[2, 3] b> { a = Relu (x)  b = Neg (x)  y = custom.F "
      "(a) }");
  CHECK(type("a", Detail::shape) == "float[2,3]");
  CHECK(type("b", Detail::shape) == "float[2,3]");
  CHECK(type("y") == "float[2,3]");
  CHECK(type.is_contradicted("a"));
  CHECK(type.is_contradicted("b"));
  CHECK_FALSE(type.is_contradicted("y"));
}

TEST_CASE("what is not declared is inferred from the producer") {
  Inferred type("g (float[2, 3] x) => (y) { a = Transpose (x)  b = Cast <to = 11> (a)  y = MatMul (x, a) }");
  CHECK(type("b") == "double[3,2]");
  CHECK(type("y") == "float[2,2]");
}

TEST_CASE("a declaration fills what inference leaves open") {
  Inferred type(
      "g (float[2, N] x) => (y) <float[] a, float[unk__0, 9] b> { a = Relu (x)  b = Relu (x)  y = custom.F (a, b) }");
  CHECK(type("a", Detail::shape) == "float[2,N]");
  CHECK(type("b", Detail::shape) == "float[2,9]");
  CHECK_FALSE(type.is_contradicted("b"));
}

TEST_CASE("the outputs of a function are inferred through its body") {
  Inferred type("g (float[2, 3] x) => (y) { a, b = d.F <to = 7> (x)  y = d.F (a) }");
  onnx::FunctionProto function;
  REQUIRE(onnx::OnnxParser::Parse(function, R"(<domain: "d", opset_import: ["" : 18]>
    F <to: int = 11> (v) => (t, c) { t = Transpose (v)  c = Cast <to: int = @to> (t) })")
              .IsOK());
  type.opsets.functions["F"] = function;
  CHECK(type("a") == "float[3,2]");
  CHECK(type("b") == "int64[3,2]");
  CHECK(type("y") == "float[2,3]");
}

TEST_CASE("a chain of functions that each call the one before twice ends") {
  Inferred type("g (float[2] x) => (y) { y = d.F60 (x) }");
  for (int depth = 0; depth < 61; ++depth) {
    const std::string inner = depth == 0 ? "Relu" : "d.F" + std::to_string(depth - 1);
    onnx::FunctionProto& function = type.opsets.functions["F" + std::to_string(depth)];
    const std::string text = "<domain: \"d\", opset_import: [\"\" : 18, \"d\" : 1]> F" + std::to_string(depth) +
                             " (v) => (w) { t = " + inner + " (v)  w = " + inner + " (t) }";
    REQUIRE(onnx::OnnxParser::Parse(function, text.c_str()).IsOK());
  }
  CHECK(type("y") == "unknown");
}

TEST_CASE("a dimension declared as -1 is unknown") {
  Inferred type("g (float[2, 3] x) => (y) { y = Relu (x) }");
  onnx::TypeProto declared = type_of_tensor(onnx::TensorProto());
  declared.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(-1);
  auto& value = *type.graph.add_value_info();
  value.set_name("x2");
  *value.mutable_type() = declared;
  *type.graph.mutable_node(0)->mutable_output(0) = "x2";
  type.graph.mutable_node(0)->set_domain("custom");
  MessageScope scope(type.graph, type.opsets);
  const onnx::TypeProto* found = type.types.type_of(scope, id_of("x2"), Detail::shape);
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

TEST_CASE("a shape is computed through operators whose schemas say so of newer versions only") {
  Inferred type(R"(g (float[N, 3, 4, 5] x) => (y) {
    s = Shape (x)  c = Slice <starts = [1], ends = [2]> (s)  two = Constant <value = int64[1] {2}> ()  less = Sub (c, two)
    rest = Slice <axes = [0], starts = [-2], ends = [9]> (s)  f = Constant <value = int64 {0}> ()  n = Gather (s, f)  first = Unsqueeze <axes = [0]> (n)
    shape = Concat <axis = 0> (first, less, rest)  y = ConstantOfShape (shape) })",
                9);
  CHECK(type("y") == "float[N,1,4,5]");
}

TEST_CASE("a part of a shape that begins at a place that is not known is not known") {
  for (const int64_t opset : {10, 13}) {
    Inferred type(R"(g (float[2, 3, 4] x, float[N] z) => (y) {
      s = Shape (x)  from = Shape (z)  to = Constant <value = int64[1] {3}> ()  part = Slice (s, from, to)  y = ConstantOfShape (part)
      other = Slice (s, to, from)  w = ConstantOfShape (other) })",
                  opset);
    CHECK(type("y", Detail::elements) == "float[]");
    CHECK(type("w", Detail::elements) == "float[]");
  }
}

TEST_CASE("the branches of an If give its type, with the values that they capture") {
  Inferred type(R"(g (bool c, float[2, 3] x) => (y) { a = Transpose (x)
    y = If (c) <then_branch = t () => (tb) { tb = Relu (a) }, else_branch = e () => (eb) { e0 = MatMul (a, x) eb = MatMul (e0, a) }> })");
  CHECK(type("y") == "float[3,2]");
  TypesInBody branch(type, "y");
  CHECK(branch("a") == "float[3,2]");
  CHECK((branch("tb") == "float[3,2]" || branch("eb") == "float[3,2]"));
}

TEST_CASE("the inputs of a Loop's body take their types from the Loop's inputs, without shapes") {
  Inferred type(R"(g (int64 m, bool c, float[2, 3] x) => (y, z) {
    y, z = Loop (m, c, x) <body = b (i, cond, v) => (cond2, w, u) { cond2 = Identity (cond)  w = Concat <axis = 0> (v, x)  u = Relu (x) }> })");
  TypesInBody body(type, "y");
  CHECK(body("i") == "int64");
  CHECK(body("cond") == "bool");
  CHECK(text_of(type.types.type_of(body.scope, id_of("v"), Detail::shape)) == "float[]");
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
  TypesInBody body(type, "y");
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
  onnx::GraphProto graph = parsed_graph("g (bool c, float[2] x) => (y) { y = Relu (x) }");
  std::string text = "q = Relu (x)";
  for (int depth = 0; depth < 90; ++depth) {
    text = "q = If (c) <then_branch = t () => (q) {" + text + "}, else_branch = e () => (q) {q = Neg (x)}>";
  }
  Inferred type("g (bool c, float[2] x) => (q) {" + text + "}");
  CHECK(type("q") == "unknown");
}

TEST_CASE("a chain of 100,000 nodes is no problem") {
  onnx::GraphProto graph = parsed_graph("g (float[2, 3] x) => (y) { y = Relu (x) }");
  graph.clear_node();
  for (int i = 0; i < 100'000; ++i) {
    auto& node = *graph.add_node();
    node.set_op_type(i % 2 == 0 ? "Relu" : "Transpose");
    node.add_input(i == 0 ? "x" : "v" + std::to_string(i - 1));
    node.add_output("v" + std::to_string(i));
  }
  const Opsets opsets({{"", 18}});
  const MessageScope scope(graph, opsets);
  InferredCalls calls;
  TypeInference types(calls);
  CHECK(text_of(types.type_of(scope, id_of("v99999"), Detail::dimensions)) == "float[2,3]");
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
  const Opsets nothing({});
  const MessageScope unknown(type.graph, nothing);
  CHECK(text_of(type.types.type_of(unknown, id_of("k"))) == "unknown");
  CHECK(text_of(type.types.type_of(unknown, id_of("x"))) == "float[2]");
}

TEST_CASE("a forgotten value is looked up again") {
  Inferred type("g (float[2] x) => (y) { y = Relu (x) }");
  CHECK(type("y") == "float[2]");
  type.graph.mutable_node(0)->set_op_type("Shape");
  CHECK(type("y") == "float[2]");
  type.forget("y");
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
        const Opsets opsets({{schema.domain(), schema.SinceVersion()}});
        const MessageScope scope(graph, opsets);
        InferredCalls calls;
        TypeInference types(calls);
        for (const auto& output : node.output()) CHECK_NOTHROW(types.type_of(scope, id_of(output), Detail::dimensions));
      }
    }
  }
}

}  // namespace onnx_lower

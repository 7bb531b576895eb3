// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/graph_scope.h"

#include <string>
#include <string_view>

#include "catch.h"
#include "legalizer/opset_contexts.h"
#include "model_file/read_model.h"
#include "onnx/defs/parser.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

// The main graph of a model with all of its nodes placed.
struct Placed {
  explicit Placed(const std::string& graph)
      : model(read_model(
            folder.write("model.onnxtxt", "<ir_version: 10, opset_import: [\"\" : 21, \"custom\" : 1]> " + graph))),
        contexts(model.opset_imports),
        own(contexts.intern(model.opset_imports)),
        scope(sources, model.graph, nullptr, nullptr) {
    for_each_node(model.graph, [this](const Node& node) {
      if (!node.outputs().empty()) scope.nodes().place(node);
    });
  }

  std::string operator()(std::string_view value) const {
    return onnx::TensorProto::DataType_Name(scope.element_type(scope.value_of(value)));
  }

  TemporaryFolder folder{"graph_scope_test"};
  Model model;
  OpsetContexts contexts;
  OpsetContext own;
  OperatorFactsTable facts{model, contexts};
  ModelFunctions functions{model};
  ValueTables tables;
  PlacedMeanings placed{model, facts, functions, own};
  ScopeSources sources{model, facts, functions, tables, placed, own};
  GraphScope scope;
};

TEST_CASE("element types are known without inference where schemas or attributes decide them") {
  const Placed type(R"(g (float16[2] x, y0, bool c) => (y) <int8[2] w = {1, 2}> {
    a = Relu (x)  b = custom.F (x)  d = Add (b, a)  e = Where (c, d, x)  f = Cast <to = 7> (b)  s = Shape (b)  l = Less (b, b)  p = Concat <axis = 0> (b, b, d)
    n = Identity (w)  o = CastLike (a, w)  r = ConstantOfShape <value: tensor = double[1] {0}> (s)  t = ConstantOfShape (s)  u = EyeLike (n)  v = EyeLike <dtype = 6> (n)
    q = QuantizeLinear (x, x)  q2 = QuantizeLinear (x, x, w)  h = HannWindow (s)  k = Constant <value_ints = [1]> ()  i = RandomNormalLike (d)  y = custom.F (x) })");
  for (const auto* name : {"x", "a", "d", "e", "p", "i"}) CHECK(type(name) == "FLOAT16");
  for (const auto* name : {"f", "s", "k"}) CHECK(type(name) == "INT64");
  for (const auto* name : {"w", "n", "o", "u", "q2"}) CHECK(type(name) == "INT8");
  CHECK(type("l") == "BOOL");
  CHECK(type("r") == "DOUBLE");
  CHECK(type("t") == "FLOAT");
  CHECK(type("h") == "FLOAT");
  CHECK(type("v") == "INT32");
  CHECK(type("q") == "UINT8");
  for (const auto* name : {"b", "y", "y0"}) CHECK(type(name) == "UNDEFINED");
  CHECK(type.scope.element_type(absent_value) == onnx::TensorProto::UNDEFINED);
}

TEST_CASE("what is declared of a value counts only where its node does not tell its element type") {
  const Placed type(R"(g (float[2] x) => (y) <double[2] a, double[2] b, int64[2] e> {
    a = Relu (x)  b = custom.F (x)  d = Neg (b)  e = Identity (b)  y = custom.F (x) })");
  CHECK(type("a") == "FLOAT");
  CHECK(type("b") == "DOUBLE");
  CHECK(type("d") == "DOUBLE");
  CHECK(type("e") == "DOUBLE");
}

TEST_CASE("a chain of 100,000 nodes without types is followed once") {
  std::string graph = "g (x) => (y) { v0 = custom.F (x)";
  for (int k = 1; k < 100'000; ++k) graph += " v" + std::to_string(k) + " = Relu (v" + std::to_string(k - 1) + ")";
  const Placed type(graph + " y = custom.F (x) }");
  CHECK(type("v99999") == "UNDEFINED");
  CHECK(type("v50000") == "UNDEFINED");
}

}  // namespace
}  // namespace onnx_lower

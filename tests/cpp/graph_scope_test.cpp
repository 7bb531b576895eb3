// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/graph_scope.h"

#include <string>
#include <string_view>

#include "catch.h"
#include "placed_graph.h"

namespace onnx_lower {
namespace {

class ElementTypes {
 public:
  explicit ElementTypes(const std::string& graph) : placed_(graph) {}

  std::string operator()(std::string_view value) const {
    return onnx::TensorProto::DataType_Name(scope().element_type(placed_.value(value)));
  }
  const GraphScope& scope() const { return placed_.scope; }

 private:
  PlacedGraph placed_;
};

TEST_CASE("element types are known without inference where schemas or attributes decide them") {
  const ElementTypes type(R"(g (float16[2] x, y0, bool c) => (y) <int8[2] w = {1, 2}> {
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
  CHECK(type.scope().element_type(absent_value) == onnx::TensorProto::UNDEFINED);
}

TEST_CASE("what is declared of a value counts only where its node does not tell its element type") {
  const ElementTypes type(R"(g (float[2] x) => (y) <double[2] a, double[2] b, int64[2] e> {
    a = Relu (x)  b = custom.F (x)  d = Neg (b)  e = Identity (b)  y = custom.F (x) })");
  CHECK(type("a") == "FLOAT");
  CHECK(type("b") == "DOUBLE");
  CHECK(type("d") == "DOUBLE");
  CHECK(type("e") == "DOUBLE");
}

TEST_CASE("a chain of 100,000 nodes without types is followed once") {
  std::string graph = "g (x) => (y) { v0 = custom.F (x)";
  for (int k = 1; k < 100'000; ++k) graph += " v" + std::to_string(k) + " = Relu (v" + std::to_string(k - 1) + ")";
  const ElementTypes type(graph + " y = custom.F (x) }");
  CHECK(type("v99999") == "UNDEFINED");
  CHECK(type("v50000") == "UNDEFINED");
}

}  // namespace
}  // namespace onnx_lower

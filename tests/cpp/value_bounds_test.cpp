// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/value_bounds.h"

#include <string>

#include "catch.h"
#include "placed_graph.h"

namespace onnx_lower {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_size = 1LL << 40;

// Of `y`, which nodes make of inputs with any elements and of constants: floats p from 2 to 5, n
// from -3 to -1, m from -2 to 4 and q from -2 to 0.5, and integers ip and im like p and m.
Bounds bounds_of_y(const std::string& nodes) {
  const PlacedGraph placed(
      "g (float[2] x, int8[2] j, uint8[2] u, bool[2] c) => (y) <float[2] p = {2, 5}, float[2] "
      "n = {-3, -1}, "
      "float[2] m = {-2, 4}, float[2] q = {-2, 0.5}, int64[2] ip = {2, 5}, int64[2] im = {-2, 4}, int8[1] most8 = "
      "{127}, float[2] two = {2, "
      "2}> { " +
      nodes + " }");
  return bounds_of(placed.scope, placed.value("y"));
}

void lies(const std::string& nodes, double least, double most) {
  INFO(nodes);
  const Bounds bounds = bounds_of_y(nodes);
  CHECK(bounds.least == least);
  CHECK(bounds.most == most);
}

TEST_CASE("a value lies between the bounds of what it is made of") {
  lies("y = Identity (p)", 2, 5);
  lies("y = Abs (p)", 2, 5);
  lies("y = Abs (n)", 1, 3);
  lies("y = Abs (m)", 0, 4);
  lies("y = Abs (x)", 0, infinity);
  lies("y = Abs (q)", 0, 2);
  lies("y = Neg (p)", -5, -2);
  lies("y = Add (p, m)", 0, 9);
  lies("y = Sum (p, m, n)", -3, 8);
  lies("y = Sub (p, m)", -2, 7);
  lies("y = Mul (p, m)", -10, 20);
  lies("y = Mul (n, m)", -12, 6);
  lies("y = Mul (m, m)", 0, 16);
  lies("y = Mul (x, x)", 0, infinity);
  lies("y = Div (m, p)", -1, 2);
  lies("y = Div (p, p)", 0.4, 2.5);
  lies("y = Div (n, p)", -1.5, -0.2);
  lies("y = Div (im, ip)", -1, 2);
  lies("h = Div (p, two) y = Cast <to = 7> (h)", 1, 2);
  lies("y = Max (x, p)", 2, infinity);
  lies("y = Max (n, m)", -2, 4);
  lies("y = Min (x, p)", -infinity, 5);
  lies("y = Min (n, m)", -3, -1);
  lies("y = Concat <axis = 0> (p, n)", -3, 5);
  lies("y = Where (c, p, n)", -3, 5);
  lies("h = Div (p, p) y = Floor (h)", 0, 3);
  lies("h = Div (p, p) y = Round (h)", 0, 3);
  lies("h = Div (p, p) y = Ceil (h)", 0, 3);
  lies("y = Sigmoid (x)", 0, 1);
  lies("y = Relu (m)", 0, infinity);
  lies("y = Shape (x)", 0, largest_size);
  lies("s = Shape (x) t = Size (x) y = Add (s, t)", 0, 2 * largest_size);
  lies("k = Constant <value_ints = [1]> () v, y = TopK (p, k)", 0, largest_size);
  lies("k = Constant <value_ints = [1]> () y, v = TopK (p, k)", 2, 5);
  lies(
      "a = Constant <value_int = 3> () b = Constant <value_int = 9> () s = Constant <value_int = 2> () y = Range (a, "
      "b, s)",
      3, 9);
  lies("y = Cast <to = 9> (x)", 0, 1);
  lies("y = Identity (c)", 0, 1);
}

TEST_CASE("an integer beyond its type is any of the type, and of a type without numbers nothing is known") {
  lies("y = Identity (j)", -128, 128);
  lies("y = Identity (u)", 0, 256);
  lies("y = Add (most8, most8)", -128, 128);
  lies("y = Abs (j)", -128, 128);
  lies("y = Neg (j)", -128, 128);
  lies("y = Sub (u, u)", 0, 256);
  lies("y = Cast <to = 8> (p)", -infinity, infinity);
  lies("s = Cast <to = 8> (p) y = Cast <to = 1> (s)", -infinity, infinity);
}

TEST_CASE("nothing is said of what may be anything") {
  for (const std::string nodes : {"y = Neg (x)", "y = Add (x, p)", "y = Sub (p, x)", "h = Abs (x) y = Sub (h, h)",
                                  "y = Div (p, m)", "y = Div (p, n)", "y = custom.Abs (x)", "y = Log (p)",
                                  "a = Constant <value_float = 3.0> () y = Range (a, a, x)"}) {
    lies(nodes, -infinity, infinity);
  }
}

TEST_CASE("a long way to what a value is made of is not gone") {
  const auto least_after = [](int count) {
    std::string nodes = "v0 = Abs (x)";
    for (int k = 1; k <= count; ++k) nodes += " v" + std::to_string(k) + " = Identity (v" + std::to_string(k - 1) + ")";
    return bounds_of_y(nodes + " y = Identity (v" + std::to_string(count) + ")").least;
  };
  CHECK(least_after(50) == 0);
  CHECK(least_after(100) == -infinity);
}

}  // namespace
}  // namespace onnx_lower

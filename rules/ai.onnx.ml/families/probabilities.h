// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Probabilities of classes from those of their pairs, as libsvm couples them (Wu, Lin and Weng,
// "Probability estimates for multi-class classification by pairwise coupling", algorithm 2): with
// the probability r_ij of class i against class j, they are the p with the least
//
//     sum over i and j of (r_ji p_i - r_ij p_j)², which is p Q p.
//
// Each iteration goes through the classes. A row ends where Q p is about the same for all of them;
// so what it gives depends on where ONNX Runtime's kernel ends, and a Loop does the same.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

class PairwiseCoupling {
 public:
  PairwiseCoupling(Body& body, int64_t classes) : body_(body), classes_(classes) {}

  // Probabilities of all classes, [N, classes], from the scores of all pairs: (0, 1), (0, 2) …
  // Those of pairs are logistic functions of the scores, with these two parameters for each.
  std::string probabilities(const std::string& scores, const std::vector<float>& factors,
                            const std::vector<float>& summands) {
    append_pairs(scores, factors, summands);
    append_squares();
    body_("batch", "Concat", {body_.dim_list(scores, 0), body_.ints({classes_})}, {{"axis", 0}});
    body_("equal_parts", "Expand", {body_.float_scalar(1.0 / static_cast<double>(classes_), "part"), "batch"});
    const onnx::GraphProto iteration =
        body_.graph("iteration",
                    {{"number", onnx::TensorProto::INT64, {}},
                     {"go_on", onnx::TensorProto::BOOL, {}},
                     {"p", onnx::TensorProto::FLOAT, {"", std::to_string(classes_)}}},
                    {{"goes_on", onnx::TensorProto::BOOL, {}},
                     {"next_p", onnx::TensorProto::FLOAT, {"", std::to_string(classes_)}}},
                    [&] { append_iteration(); });
    body_.constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
    body_("probabilities", "Loop", {body_.scalar(most_iterations), "always", "equal_parts"}, {{"body", iteration}});
    return "probabilities";
  }

 private:
  static constexpr int64_t most_iterations = 100;

  std::string floats(const Ints& dims, const std::vector<double>& elements, std::string_view stem) {
    return body_.constant(body_.fresh(stem), tensor_of(onnx::TensorProto::FLOAT, dims, elements));
  }

  // r and its transpose, [N, classes, classes], with zeros in their diagonals.
  void append_pairs(const std::string& scores, const std::vector<float>& factors, const std::vector<float>& summands) {
    const auto classes = static_cast<std::size_t>(classes_), pairs = classes * (classes - 1) / 2;
    std::vector<double> minus_factors, minus_summands,
        places(list_size({static_cast<int64_t>(pairs), classes_, classes_}));
    std::vector<double> transposed_places = places, ones(classes * classes), transposed_ones = ones;
    std::size_t pair = 0;
    for (std::size_t one = 0; one + 1 < classes; ++one) {
      for (std::size_t other = one + 1; other < classes; ++other, ++pair) {
        minus_factors.push_back(-factors[pair]);
        minus_summands.push_back(-summands[pair]);
        const std::size_t start = pair * classes * classes;
        places[start + one * classes + other] = transposed_places[start + other * classes + one] = 1;
        places[start + other * classes + one] = transposed_places[start + one * classes + other] = -1;
        ones[other * classes + one] = transposed_ones[one * classes + other] = 1;
      }
    }
    const auto count = static_cast<int64_t>(pairs);
    const std::string scaled = body_.made("scaled", "Mul", {scores, floats({count}, minus_factors, "factors")});
    const std::string shifted = body_.made("shifted", "Add", {scaled, floats({count}, minus_summands, "summands")});
    const std::string logistic = body_.made("logistic", "Sigmoid", {shifted});
    const std::string bounded = body_.made(
        "bounded", "Clip", {logistic, body_.float_scalar(1e-7F, "least"), body_.float_scalar(1 - 1e-7F, "greatest")});
    append_table("r", bounded, places, ones);
    append_table("r_transposed", bounded, transposed_places, transposed_ones);
  }

  // A Transpose of the first table would be fused with a product, which ONNX Runtime does not
  // compute of no rows.
  void append_table(const std::string& name, const std::string& pairs, const std::vector<double>& places,
                    const std::vector<double>& ones) {
    const int64_t elements = classes_ * classes_;
    const std::string all = floats({static_cast<int64_t>(places.size()) / elements, elements}, places, "places");
    const std::string table = body_.made("table", "Gemm", {pairs, all, floats({elements}, ones, "ones")});
    body_(name, "Identity", {body_.reshape(table, {-1, classes_, classes_})});
  }

  // Q, [N, classes, classes].
  void append_squares() {
    const auto classes = static_cast<std::size_t>(classes_);
    std::vector<double> unit(classes * classes);
    for (std::size_t place = 0; place < classes; ++place) unit[place * classes + place] = 1;
    const std::string squares = body_.made("squares", "Mul", {"r_transposed", "r_transposed"});
    const std::string diagonal =
        body_.made("diagonal", "Mul", {sum(squares), floats({classes_, classes_}, unit, "unit")});
    const std::string products = body_.made("products", "Mul", {"r_transposed", "r"});
    body_("Q", "Sub", {diagonal, products});
  }

  // A sum over the last dimension, which stays: a product, which runtimes make of no rows.
  std::string sum(const std::string& of) {
    const std::vector<double> ones(static_cast<std::size_t>(classes_), 1);
    return body_.made("sum", "MatMul", {of, floats({classes_, 1}, ones, "column_of_ones")});
  }

  void append_iteration() {
    body_("goes_on", "Identity", {"go_on"});
    const std::string weighted = body_.made("weighted", "Mul", {"Q", body_.unsqueeze("p", {1}, "row_of_p")});
    std::string qp = body_.made("Qp", "Squeeze", {sum(weighted), body_.ints({2}, "axis")});
    std::string pqp = sum(body_.made("terms", "Mul", {"p", qp}));
    const std::string error = body_.made("error", "Abs", {body_.made("difference", "Sub", {qp, pqp})});
    const std::string bound = body_.float_scalar(0.005F / static_cast<float>(classes_), "bound");
    const std::string is_far = body_.made("is_far", "GreaterOrEqual", {error, bound});
    const std::string far = body_.made("far", "Cast", {is_far}, {{"to", onnx::TensorProto::FLOAT}});
    std::string next = "p";
    for (int64_t place = 0; place < classes_; ++place) append_class(place, qp, pqp, next);
    body_("is_to_change", "Greater", {sum(far), body_.float_scalar(0, "none")});
    body_("next_p", "Where", {"is_to_change", next, "p"});
  }

  // What follows from the least p Q p along p of one class, all others scaled so that the sum is 1.
  void append_class(int64_t place, std::string& qp, std::string& pqp, std::string& p) {
    const auto classes = static_cast<std::size_t>(classes_);
    std::vector<double> unit(classes);
    unit[static_cast<std::size_t>(place)] = 1;
    const std::string row = body_.made("row", "Gather", {"Q", body_.scalar(place, "place")}, {{"axis", 1}});
    const std::string own = body_.slice(row, place, place + 1, 1, "own");
    const std::string own_qp = body_.slice(qp, place, place + 1, 1, "own_Qp");
    const std::string change = body_.made("change", "Div", {body_.made("rest", "Sub", {pqp, own_qp}), own});
    const std::string whole = body_.made("whole", "Add", {change, body_.float_scalar(1, "one")});
    const std::string step = body_.made("step", "Mul", {change, floats({1, classes_}, unit, "unit_row")});
    p = body_.made("p", "Div", {body_.made("moved", "Add", {p, step}), whole});
    const std::string square = body_.made("square", "Mul", {change, own});
    const std::string twice = body_.made("twice", "Add", {own_qp, own_qp});
    const std::string more = body_.made("more", "Mul", {change, body_.made("slope", "Add", {square, twice})});
    const std::string sum = body_.made("pQp_sum", "Add", {pqp, more});
    pqp = body_.made("pQp", "Div", {body_.made("part", "Div", {sum, whole}), whole});
    const std::string moved = body_.made("Qp_moved", "Add", {qp, body_.made("Q_step", "Mul", {row, change})});
    qp = body_.made("Qp", "Div", {moved, whole});
  }

  Body& body_;
  int64_t classes_;
};

}  // namespace onnx_lower

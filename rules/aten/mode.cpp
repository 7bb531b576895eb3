// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/element_types.h"
#include "rules/body.h"

namespace onnx_lower::native_rules::aten_mode {
namespace {

// Every element is compared with every other one: dimension `dim` becomes two, i and then j.
// PyTorch sorts: each NaN is a value of its own, below all numbers, and of equal elements the last
// one is named.
Lowering lower(const CallSite& site) {
  int64_t dim = site.need_number(1, -1);
  const int64_t keepdim = site.need_number(2, 0);
  const int rank = site.need_rank(0);
  const int type = site.need_dtype(0);
  if (!category_of(type)) return Declined{"the type of input 0 is none of PyTorch's"};
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank) return Declined{"input 0 does not have that dimension"};

  const bool is_floating = *category_of(type) == TypeCategory::floating;
  const int compared = type == onnx::TensorProto::DOUBLE ? type
                       : is_floating                     ? onnx::TensorProto::FLOAT
                                                         : onnx::TensorProto::INT64;
  // A shape of ones behind `first`, as many as there are dimensions behind `dim`.
  const auto along = [&](Ints first) {
    first.resize(first.size() + static_cast<size_t>(rank - dim - 1), 1);
    return first;
  };
  Body body("aten", "mode", {"x", "dim", "keepdim"}, {"values", "indices"}, 18);
  body.constant("at_i", Ints{dim + 1});
  body.constant("at_j", Ints{dim});
  body.constant("zero", 0);
  body.constant("one", 1);
  body.constant("none", -1);
  body("w", "Cast", {"x"}, {{"to", compared}});
  body("wi", "Unsqueeze", {"w", "at_i"});
  body("wj", "Unsqueeze", {"w", "at_j"});
  body("shape", "Shape", {"x"});
  body.constant("where_n", dim);
  body("n", "Gather", {"shape", "where_n"}, {{"axis", 0}});
  body("number", "Range", {"zero", "n", "one"});
  body.constant("along", along({-1}));
  body("position", "Reshape", {"number", "along"});
  body("same", "Equal", {"wi", "wj"});
  body("same_number", "Cast", {"same"}, {{"to", 7}});
  if (is_floating) {
    body("numbers", "ReduceSum", {"same_number", "at_i"}, {{"keepdims", 0}});
    body("nan", "IsNaN", {"w"});
    body("nan_number", "Cast", {"nan"}, {{"to", 7}});
    body("count", "Add", {"numbers", "nan_number"});
    body("nan_i", "Unsqueeze", {"nan", "at_i"});
    body("nan_j", "Unsqueeze", {"nan", "at_j"});
    body.constant("along_i", along({-1, 1}));
    body.constant("along_j", along({1, -1}));
    body("pi", "Reshape", {"number", "along_i"});
    body("pj", "Reshape", {"number", "along_j"});
    body("is_earlier", "Less", {"pj", "pi"});
    body("not_nan_i", "Not", {"nan_i"});
    body("nan_goes_before", "Or", {"not_nan_i", "is_earlier"});
    body("nan_below", "And", {"nan_j", "nan_goes_before"});
    body("less", "Less", {"wj", "wi"});
    body("below", "Or", {"less", "nan_below"});
  } else {
    body("count", "ReduceSum", {"same_number", "at_i"}, {{"keepdims", 0}});
    body("below", "Less", {"wj", "wi"});
  }
  body("most", "ReduceMax", {"count", "at_j"}, {{"keepdims", 1}});
  body("fits", "Equal", {"count", "most"});
  body("fits_j", "Unsqueeze", {"fits", "at_j"});
  body("beaten", "And", {"below", "fits_j"});
  body("beaten_number", "Cast", {"beaten"}, {{"to", 7}});
  body("beaten_count", "ReduceSum", {"beaten_number", "at_i"}, {{"keepdims", 0}});
  body("unbeaten", "Equal", {"beaten_count", "zero"});
  body("is_mode", "And", {"fits", "unbeaten"});
  body("places", "Where", {"is_mode", "position", "none"});
  body("index", "ReduceMax", {"places", "at_j"}, {{"keepdims", 1}});
  body("value", "GatherElements", {"x", "index"}, {{"axis", dim}});
  if (keepdim != 0) {
    body("values", "Identity", {"value"});
    body("indices", "Identity", {"index"});
  } else {
    body("values", "Squeeze", {"value", "at_j"});
    body("indices", "Squeeze", {"index", "at_j"});
  }
  return body.function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "mode",
                      .summary =
                          "The most frequent value along a dimension, the least one if there are several, and the last "
                          "place where it is.",
                      .source =
                          "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices), "
                          "as torch computes it on a CPU",
                      .inputs = "x, dim, keepdim",
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_mode

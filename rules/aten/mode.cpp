// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "element_types.h"
#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

// Every element is compared with every other one: dimension `dim` becomes two, i and then j. PyTorch sorts: each NaN is a value of its own, below all
// numbers, and of equal elements the last one is named.
Lowering lower(const CallSite& site) {
  int64_t dim = site.need_number(1, -1);
  const int64_t keepdim = site.need_number(2, 0);
  const int rank = site.need_rank(0);
  const auto type = site.dtype(0);
  if (!type || !category_of(*type)) return Declined{"the type of input 0 is not known, or none of PyTorch's"};
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank) return Declined{"input 0 does not have that dimension"};

  const bool is_floating = *category_of(*type) == TypeCategory::floating;
  const int compared = *type == onnx::TensorProto::DOUBLE ? *type
                       : is_floating                      ? onnx::TensorProto::FLOAT
                                                          : onnx::TensorProto::INT64;
  std::string trailing;
  for (int64_t axis = dim + 1; axis < rank; ++axis) trailing += ", 1";
  std::string body = fmt::format(
      R"(  at_i = Constant <value_ints: ints = [{1}]> ()
  at_j = Constant <value_ints: ints = [{0}]> ()
  zero = Constant <value_int = 0> ()
  one = Constant <value_int = 1> ()
  none = Constant <value_int = -1> ()
  w = Cast <to = {2}> (x)
  wi = Unsqueeze (w, at_i)
  wj = Unsqueeze (w, at_j)
  shape = Shape (x)
  where_n = Constant <value_int = {0}> ()
  n = Gather <axis = 0> (shape, where_n)
  number = Range (zero, n, one)
  along = Constant <value_ints = [-1{3}]> ()
  position = Reshape (number, along)
  same = Equal (wi, wj)
  same_number = Cast <to = 7> (same)
)",
      dim, dim + 1, compared, trailing);
  if (is_floating) {
    body += fmt::format(
        R"(  numbers = ReduceSum <keepdims = 0> (same_number, at_i)
  nan = IsNaN (w)
  nan_number = Cast <to = 7> (nan)
  count = Add (numbers, nan_number)
  nan_i = Unsqueeze (nan, at_i)
  nan_j = Unsqueeze (nan, at_j)
  along_i = Constant <value_ints = [-1, 1{0}]> ()
  along_j = Constant <value_ints = [1, -1{0}]> ()
  pi = Reshape (number, along_i)
  pj = Reshape (number, along_j)
  is_earlier = Less (pj, pi)
  not_nan_i = Not (nan_i)
  nan_goes_before = Or (not_nan_i, is_earlier)
  nan_below = And (nan_j, nan_goes_before)
  less = Less (wj, wi)
  below = Or (less, nan_below)
)",
        trailing);
  } else {
    body += "  count = ReduceSum <keepdims = 0> (same_number, at_i)\n  below = Less (wj, wi)\n";
  }
  body += fmt::format(
      R"(  most = ReduceMax <keepdims = 1> (count, at_j)
  fits = Equal (count, most)
  fits_j = Unsqueeze (fits, at_j)
  beaten = And (below, fits_j)
  beaten_number = Cast <to = 7> (beaten)
  beaten_count = ReduceSum <keepdims = 0> (beaten_number, at_i)
  unbeaten = Equal (beaten_count, zero)
  is_mode = And (fits, unbeaten)
  places = Where (is_mode, position, none)
  index = ReduceMax <keepdims = 1> (places, at_j)
  value = GatherElements <axis = {}> (x, index)
)",
      dim);
  body += keepdim != 0 ? "  values = Identity (value)\n  indices = Identity (index)\n"
                       : "  values = Squeeze (value, at_j)\n  indices = Squeeze (index, at_j)\n";
  return function_from_text(fmt::format(
      "<domain: \"aten\", opset_import: [\"\" : 18]> mode (x, dim, keepdim) => (values, indices) {{\n{}}}", body));
}

const NativeRule rule{.domain = "aten",
                      .op_type = "mode",
                      .summary =
                          "The most frequent value along a dimension, the least one if there are several, and the last "
                          "place where it is.",
                      .source =
                          "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices), "
                          "as torch computes it on a CPU",
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

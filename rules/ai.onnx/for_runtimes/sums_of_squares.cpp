// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ReduceSumSquare of floating-point numbers, for runtimes without the operator: squares, and their
// sum.

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_sums_of_squares {
namespace {

Lowering lower(const CallSite& site) {
  const int type = site.need_dtype(0);
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE && type != onnx::TensorProto::FLOAT16)
    return Declined{"its elements are no floating-point numbers", {}, true};
  const bool has_axes = site.has_input(1);
  Body body("ai.onnx", "ReduceSumSquare", has_axes ? Values{"data", "axes"} : Values{"data"}, {"reduced"}, 13);
  body("squares", "Mul", {"data", "data"});
  std::string axes = has_axes ? "axes" : "";
  if (!has_axes && site.attribute("axes") != nullptr) axes = body.ints(site.attribute_ints("axes", {}), "axes");
  body("reduced", "ReduceSum", axes.empty() ? Values{"squares"} : Values{"squares", axes},
       {{"keepdims", site.attribute_int("keepdims", 1)}});
  body.copy_attributes(site, {"noop_with_empty_axes"}, "ReduceSum");
  return std::move(body).function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ReduceSumSquare",
                      .summary = "The sum of products of the numbers with themselves.",
                      .source = "ONNX ReduceSumSquare-18",
                      .attributes = "axes, keepdims, noop_with_empty_axes",
                      .turn = RuleTurn::last_resort,
                      .needed_inputs = 1,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_sums_of_squares

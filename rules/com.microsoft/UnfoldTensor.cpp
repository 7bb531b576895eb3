// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "body_text.h"

namespace onnx_lower {
namespace {

Lowering lower(const CallSite& site) {
  const int64_t size = site.attribute_int("size", 0);
  const int64_t step = site.attribute_int("step", 1);
  if (size <= 0 || step <= 0) return Declined{"size and step are not both positive"};
  const int rank = site.need_rank(0);
  int64_t dim = site.attribute_int("dim", -1);
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank) return Declined{"dim is not one of input"};
  BodyText body("com.microsoft", "UnfoldTensor", {"input"}, {"output"}, 13);
  const std::string length = body.dim("input", static_cast<int>(dim));
  const std::string last = body.scalar(size - 1, "last");
  const std::string zero = body.scalar(0, "zero");
  const std::string stride = body.scalar(step, "step");
  const std::string whole = body.scalar(size, "size");
  const std::string one = body.scalar(1, "one");
  body.line("end = Sub ({}, {})", length, last);
  body.line("starts = Range ({}, end, {})", zero, stride);
  body.line("offsets = Range ({}, {}, {})", zero, whole, one);
  const std::string column = body.unsqueeze("starts", {1}, "start_column");
  body.line("indices = Add ({}, offsets)", column);
  const bool at_end = dim == rank - 1;
  body.line("{} = Gather <axis = {}> (input, indices)", at_end ? "output" : "slices", dim);
  if (!at_end) {
    // The slices' own dimension goes to the end.
    std::vector<int64_t> perm;
    for (int64_t axis = 0; axis < rank + 1; ++axis) {
      if (axis != dim + 1) perm.push_back(axis);
    }
    perm.push_back(dim + 1);
    body.line("output = Transpose <perm = [{}]> (slices)", fmt::join(perm, ", "));
  }
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "UnfoldTensor",
                      .summary = "All slices of a size along a dimension, stacked along a new last one.",
                      .source = "ONNX Runtime's contrib operator UnfoldTensor",
                      .attributes = "dim, size, step",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ReverseSequence by a Gather, for runtimes that have no such operator: step t of a sequence of
// length n is what its step n - 1 - t was, where there is one.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_rows_in_reverse {
namespace {

// Steps and sequences are made one axis, along which the rows of all steps are gathered.
Lowering lower(const CallSite& site) {
  const int rank = site.need_rank(0);
  const int64_t time = need_axis(site.attribute_int("time_axis", 0), rank);
  const int64_t batch = need_axis(site.attribute_int("batch_axis", 1), rank);
  if (time > 1 || batch > 1 || time == batch) return Declined{"its axes are not the first two"};
  Body body("ai.onnx", "ReverseSequence", {"input", "sequence_lens"}, {"Y"}, 13);
  const std::string first = body.scalar(0, "first"), next = body.scalar(1, "next");
  const std::string steps = body.dim("input", static_cast<int>(time)),
                    count = body.dim("input", static_cast<int>(batch));
  // (steps) x 1 and (sequences), or 1 x (steps) and (sequences) x 1.
  body("step_list", "Range", {first, steps, next});
  body("sequence_list", "Range", {first, count, next});
  body("length_list", "Cast", {"sequence_lens"}, {{"to", onnx::TensorProto::INT64}});
  const std::string step = body.unsqueeze("step_list", {1 - time}, "step");
  const std::string sequence = body.unsqueeze("sequence_list", {1 - batch}, "sequence");
  const std::string length = body.unsqueeze("length_list", {1 - batch}, "length");
  body("last", "Sub", {length, next});
  body("from_end", "Sub", {"last", step});
  body("is_within", "Less", {step, length});
  body("source", "Where", {"is_within", "from_end", step});
  // The rows of a step, or of a sequence, lie behind each other.
  if (time == 0) {
    body("before", "Mul", {"source", count});
    body("row", "Add", {"before", sequence});
  } else {
    body("before", "Mul", {sequence, steps});
    body("row", "Add", {"before", "source"});
  }
  std::string all = body.ints({-1}, "all");
  if (rank > 2) {
    body("shape", "Shape", {"input"});
    const std::string of_row = body.slice("shape", 2, rank, 0, "of_row");
    all = body("shape_of_rows", "Concat", {all, of_row}, {{"axis", 0}});
  }
  body("rows", "Reshape", {"input", all});
  body("Y", "Gather", {"rows", "row"}, {{"axis", 0}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "ReverseSequence",
                      .summary = "By a Gather of rows, for a runtime that has no such operator.",
                      .source = "ONNX ReverseSequence-10",
                      .attributes = "batch_axis, time_axis",
                      .turn = RuleTurn::last_resort,
                      .inputs = "input, sequence_lens",
                      .needed_inputs = 2,
                      .most_inputs = 2,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_rows_in_reverse

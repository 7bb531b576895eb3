// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/packed_integers.h"

namespace onnx_lower::native_rules::ai_onnx_Cast {
namespace {

Lowering lower(const CallSite& site) {
  if (packed_bits(site.dtype(0).value_or(onnx::TensorProto::UNDEFINED)) == 0)
    return Declined{"its input is not of integers of 4 or 2 bits", {}, true};
  Body body("ai.onnx", "Cast", {"input"}, {"output"}, 13);
  append_widened(site, body, 0, "bytes");
  body("output", "Cast", {"bytes"});
  body.copy_attributes(site, {"to"}, "Cast");
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Cast",
                      .summary = "Of a constant of 4- or 2-bit integers, from its elements in bytes.",
                      .source = "ONNX Cast-21, Cast-25",
                      .attributes = "to",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Cast

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../rknn_cst/in_default_domain.h"

namespace onnx_lower {
namespace {

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "cstThreshold",
                      .summary = "rknn_cst::cstThreshold without its domain.",
                      .source = "torch.onnx, for g.op(\"cstThreshold\", …)",
                      .lower = lower_in_default_domain};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

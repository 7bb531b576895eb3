// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../rknn_cst/in_default_domain.h"

namespace onnx_lower {
namespace {

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "cstSoftmax",
                      .summary = "rknn_cst::cstSoftmax without its domain.",
                      .source = "RKNN-Toolkit2, whose examples rename Softmax so",
                      .lower = lower_in_default_domain};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "schema_function.h"

namespace onnx_lower {
namespace {

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "*",
                      .summary = "The function body in an operator's own schema.",
                      .source = "ONNX's operator schemas",
                      .takes_any_attribute = true,
                      .lower = schema_function};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

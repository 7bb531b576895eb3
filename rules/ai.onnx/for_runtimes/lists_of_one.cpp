// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "lists_of_one.h"

namespace onnx_lower::native_rules::ai_onnx_lists_of_one {
namespace {

const NativeRule rules[] = {
    rule_of_numbers("ai.onnx", "DequantizeLinear", "ONNX Runtime's kernel of DequantizeLinear",
                    quantization_with_numbers),
    rule_of_numbers("ai.onnx", "QuantizeLinear", "ONNX Runtime's kernel of QuantizeLinear", quantization_with_numbers)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_lists_of_one

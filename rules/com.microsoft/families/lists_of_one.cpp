// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "../../ai.onnx/for_runtimes/lists_of_one.h"

namespace onnx_lower::native_rules::com_microsoft_lists_of_one {
namespace {

// The numbers of the inputs at which operators have the scales and zero points of whole tensors.
// Operators that are not here, such as QLinearAdd, take nothing but scalars.
Lowering of_one_operand(const CallSite& site) { return with_numbers(site, {1, 2, 3, 4}); }
Lowering of_where(const CallSite& site) { return with_numbers(site, {2, 3, 5, 6, 7, 8}); }
// The inputs of the filter or the second matrix are left out, since there may be a scale for each
// output or column.
Lowering of_convolution(const CallSite& site) { return with_numbers(site, {1, 2, 6, 7}); }
Lowering of_gemm(const CallSite& site) { return with_numbers(site, {1, 2, 7, 8}); }
Lowering of_embedding(const CallSite& site) { return with_numbers(site, {8, 9, 10, 11, 12, 13, 14, 15, 16, 17}); }

Lowering of_concatenation(const CallSite& site) {
  std::vector<int> inputs{0, 1};
  for (int part = 2; part + 2 < site.input_count(); part += 3) inputs.insert(inputs.end(), {part + 1, part + 2});
  return with_numbers(site, std::move(inputs));
}

constexpr NativeRule rule_for(std::string_view op_type, Lowering (*lower)(const CallSite&)) {
  return rule_of_numbers("com.microsoft", op_type, "ONNX Runtime's contrib operators", lower);
}

const NativeRule rules[] = {rule_for("DequantizeLinear", quantization_with_numbers),
                            rule_for("QEmbedLayerNormalization", of_embedding),
                            rule_for("QGemm", of_gemm),
                            rule_for("QLinearConcat", of_concatenation),
                            rule_for("QLinearConv", of_convolution),
                            rule_for("QLinearGlobalAveragePool", of_one_operand),
                            rule_for("QLinearLeakyRelu", of_one_operand),
                            rule_for("QLinearSigmoid", of_one_operand),
                            rule_for("QLinearSoftmax", of_one_operand),
                            rule_for("QLinearWhere", of_where),
                            rule_for("QuantizeLinear", quantization_with_numbers)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_lists_of_one

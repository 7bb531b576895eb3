// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The reductions along given axes, for rules that say each of them in the same way.
#pragma once

#include <array>

#include "rules/native_rule.h"

namespace onnx_lower::native_rules {

// The rule, which names no operator and no source, for each of these operators.
constexpr std::array<NativeRule, 10> for_all_reductions(const NativeRule& rule) {
  constexpr std::string_view operators[][2] = {{"ReduceL1", "ONNX ReduceL1-13, ReduceL1-18"},
                                               {"ReduceL2", "ONNX ReduceL2-13, ReduceL2-18"},
                                               {"ReduceLogSum", "ONNX ReduceLogSum-13, ReduceLogSum-18"},
                                               {"ReduceLogSumExp", "ONNX ReduceLogSumExp-13, ReduceLogSumExp-18"},
                                               {"ReduceMax", "ONNX ReduceMax-13, ReduceMax-18"},
                                               {"ReduceMean", "ONNX ReduceMean-13, ReduceMean-18"},
                                               {"ReduceMin", "ONNX ReduceMin-13, ReduceMin-18"},
                                               {"ReduceProd", "ONNX ReduceProd-13, ReduceProd-18"},
                                               {"ReduceSum", "ONNX ReduceSum-11, ReduceSum-13"},
                                               {"ReduceSumSquare", "ONNX ReduceSumSquare-13, ReduceSumSquare-18"}};
  std::array<NativeRule, 10> rules{};
  for (size_t i = 0; i < rules.size(); ++i) {
    rules[i] = rule;
    rules[i].op_type = operators[i][0];
    rules[i].source = operators[i][1];
  }
  return rules;
}

}  // namespace onnx_lower::native_rules

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/kept_axes.h"

#include <string_view>
#include <unordered_set>

#include "standard_operators/operator_table.h"

namespace onnx_lower {

bool keeps_axes(const onnx::NodeProto& node, int64_t opset) {
  static const std::unordered_set<std::string_view> along_axes = {
      "ArgMax",           "ArgMin",     "Cast",      "CastLike",     "Concat",
      "DequantizeLinear", "Dropout",    "Expand",    "LogSoftmax",   "Pad",
      "QuantizeLinear",   "ReduceL1",   "ReduceL2",  "ReduceLogSum", "ReduceLogSumExp",
      "ReduceMax",        "ReduceMean", "ReduceMin", "ReduceProd",   "ReduceSum",
      "ReduceSumSquare",  "Reshape",    "Slice",     "Softmax",      "Split",
      "Squeeze",          "Tile",       "Unsqueeze", "Where"};
  if (!node.domain().empty()) return false;
  if (along_axes.contains(node.op_type())) return true;
  static const std::unordered_set<std::string_view> by_channel = {"BatchNormalization", "InstanceNormalization", "LRN",
                                                                  "LpNormalization", "MeanVarianceNormalization"};
  const OperatorVersion* version = find_operator("", node.op_type(), opset);
  return version != nullptr && version->shape_rule != ShapeRule::unknown && !by_channel.contains(node.op_type());
}

}  // namespace onnx_lower

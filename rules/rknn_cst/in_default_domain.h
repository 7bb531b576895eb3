// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that lost their domain: what g.op("cstThreshold", …) writes.
#pragma once

#include <fmt/format.h>

#include "rules/native_rule.h"

namespace onnx_lower {

// The node of the same name in the domain rknn_cst.
inline Lowering lower_in_default_domain(const CallSite& site) {
  onnx::FunctionProto function;
  function.set_domain("ai.onnx");
  function.set_name(site.node().op_type());
  onnx::OperatorSetIdProto& import = *function.add_opset_import();
  import.set_domain("rknn_cst");
  import.set_version(1);
  onnx::NodeProto& node = *function.add_node();
  node.set_domain("rknn_cst");
  node.set_op_type(site.node().op_type());
  for (int index = 0; index < site.input_count(); ++index)
    node.add_input(*function.add_input() = fmt::format("x{}", index));
  for (int index = 0; index < site.output_count(); ++index)
    node.add_output(*function.add_output() = fmt::format("y{}", index));
  *node.mutable_attribute() = site.node().attribute();
  return function;
}

}  // namespace onnx_lower

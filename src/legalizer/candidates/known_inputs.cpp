// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/candidates/known_inputs.h"

#include <fmt/format.h>

#include <utility>

#include "rules/body.h"

namespace onnx_lower {

onnx::FunctionProto with_constants(const onnx::NodeProto& node, const std::map<int, KnownTensor>& inputs,
                                   const std::map<std::string, int64_t>& imports) {
  onnx::FunctionProto function;
  function.set_domain(node.domain());
  function.set_name(node.op_type());
  for (const auto& [domain, version] : imports) {
    onnx::OperatorSetIdProto& import = *function.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  onnx::NodeProto same = node;
  same.clear_input();
  same.clear_output();
  for (int index = 0; index < node.input_size(); ++index) {
    std::string name = fmt::format("i{}", index);
    function.add_input(name);
    if (const auto known = inputs.find(index); known != inputs.end()) {
      name += "_known";
      *function.add_node() = node_of("Constant", {}, {name}, {{"value", tensor_of(known->second)}});
    }
    same.add_input(node.input(index).empty() ? "" : name);
  }
  for (int index = 0; index < node.output_size(); ++index) {
    const std::string name = fmt::format("o{}", index);
    function.add_output(name);
    same.add_output(node.output(index).empty() ? "" : name);
  }
  *function.add_node() = std::move(same);
  return function;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/subgraph_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "counted.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

struct Counts {
  int inputs;
  int outputs;
};

// How many inputs and outputs the graphs of the node need; nothing where its operator has none.
std::optional<Counts> counts_of(const onnx::NodeProto& node, const OperatorVersion& version) {
  const int inputs = node.input_size();
  const int outputs = node.output_size();
  switch (version.domain.empty() ? role_of(version.name) : OperatorRole::none) {
    case OperatorRole::conditional:
      return Counts{0, outputs};
    case OperatorRole::loop:  // the iteration's number and the condition come in, and the next condition comes out
      return Counts{2 + std::max(inputs - 2, 0), 1 + outputs};
    case OperatorRole::scan:  // below 9 the lengths of the sequences are an input of the node alone
      return Counts{version.since_version < 9 ? inputs - 1 : inputs, outputs};
    case OperatorRole::sequence_map:
      return Counts{inputs, outputs};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string subgraph_problem(const onnx::NodeProto& node, const OperatorVersion& version) {
  if (node.attribute().empty()) return {};
  const std::optional<Counts> needed = counts_of(node, version);
  if (!needed) return {};
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (!attribute.has_g()) continue;
    const int inputs = attribute.g().input_size();
    const int outputs = attribute.g().output_size();
    if (inputs != needed->inputs)
      return fmt::format("the graph '{}' has {}, and the node needs one with {}", attribute.name(),
                         counted(inputs, "input"), needed->inputs);
    if (outputs != needed->outputs)
      return fmt::format("the graph '{}' has {}, and the node needs one with {}", attribute.name(),
                         counted(outputs, "output"), needed->outputs);
  }
  return {};
}

}  // namespace onnx_lower

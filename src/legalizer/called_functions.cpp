#include "legalizer/called_functions.h"

namespace onnx_lower {

void mark_operators(const Graph& graph, std::vector<bool>& used) {
  for (const GraphPiece& piece : graph.pieces) {
    for (const Node& node : piece.nodes) {
      used[node.op] = true;
      if (!node.bodies) continue;
      for (const Graph& body : node.bodies->graphs) mark_operators(body, used);
    }
  }
}

std::vector<bool> called_functions(const Model& model, const std::vector<bool>& walked) {
  std::vector<bool> called(model.functions.size(), false);
  if (called.empty()) return called;
  std::vector<bool> used(model.operator_count(), false);
  mark_operators(model.graph, used);
  for (size_t index = 0; index < walked.size(); ++index) {
    if (walked[index]) mark_operators(model.functions[index].body, used);
  }
  for (OperatorId id = 0; id < used.size(); ++id) {
    if (!used[id]) continue;
    const Operator& op = model.op(id);
    for (size_t index = 0; index < called.size(); ++index) {
      const Function& function = model.functions[index];
      if (function.name == op.op_type && function.domain == op.domain && function.overload == op.overload) called[index] = true;
    }
  }
  return called;
}

}  // namespace onnx_lower

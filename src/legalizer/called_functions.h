// What a model's nodes use: operators, and through them functions.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

// Visits the operator of every node of a graph and of its subgraphs.
template <typename Visit>
void for_each_operator(const Graph& graph, const Visit& visit) {
  for_each_node(graph, [&visit](const Node& node) { visit(node.op); });
}

// Visits the operator of a node, and those of its subgraphs.
template <typename Visit>
void for_each_operator_of(const Node& node, const Visit& visit) {
  for_each_node_of(node, [&visit](const Node& inner) { visit(inner.op); });
}

// The model's function of that domain, name and overload, the first if there are several; nullptr when there is none.
const Function* find_function(const Model& model, const Operator& op);

// Which of the model's functions an operator calls. Of several with the same name the first one counts.
class FunctionIndex {
 public:
  explicit FunctionIndex(Model& model);

  // Adds the functions that the graph calls and that are not yet marked in `called`, in the order of their first call, to `found`.
  void find_called(const Graph& graph, std::vector<bool>& called, std::vector<size_t>& found) const;
  // The same for a single operator.
  void find_called(OperatorId op, std::vector<bool>& called, std::vector<size_t>& found) const;

 private:
  std::unordered_map<OperatorId, size_t> functions_;
};

}  // namespace onnx_lower

#include "legalizer/called_functions.h"

#include <algorithm>

namespace onnx_lower {

const Function* find_function(const Model& model, const Operator& op) {
  const auto found = std::find_if(model.functions.begin(), model.functions.end(), [&](const Function& function) {
    return function.name == op.op_type && function.domain == op.domain && function.overload == op.overload;
  });
  return found == model.functions.end() ? nullptr : &*found;
}

FunctionIndex::FunctionIndex(Model& model) {
  for (size_t index = 0; index < model.functions.size(); ++index) {
    const Function& function = model.functions[index];
    functions_.emplace(model.intern_operator({function.domain, function.name, function.overload}), index);
  }
}

void FunctionIndex::find_called(const Graph& graph, std::vector<bool>& called, std::vector<size_t>& found) const {
  if (functions_.empty()) return;
  for_each_operator(graph, [&](OperatorId op) { find_called(op, called, found); });
}

void FunctionIndex::find_called(OperatorId op, std::vector<bool>& called, std::vector<size_t>& found) const {
  const auto function = functions_.find(op);
  if (function == functions_.end() || called[function->second]) return;
  called[function->second] = true;
  found.push_back(function->second);
}

}  // namespace onnx_lower

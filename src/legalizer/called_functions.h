// What a model's nodes use: operators, and through them functions.
#pragma once

#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

// Marks the operators of all nodes of a graph and of its subgraphs, by OperatorId.
void mark_operators(const Graph& graph, std::vector<bool>& used);

// Which of the model's functions the main graph, or a function of `walked`, calls.
std::vector<bool> called_functions(const Model& model, const std::vector<bool>& walked);

}  // namespace onnx_lower

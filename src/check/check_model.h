// What a valid model is: checked of the input before, and of the output after.
#pragma once

#include "model_file/model.h"

namespace onnx_lower {

// Every name is defined once in its scope and before it is used, graph outputs exist, the imported versions exist, and the standard
// operators' nodes have the inputs, outputs and attributes that their schemas ask for. Nodes that the schemas do not know pass.
// Throws InvalidInput, which names the file and the node.
void check_model(const Model& model);

}  // namespace onnx_lower

// Tensors whose elements lie in other files.
#pragma once

#include <string>

#include "model_file/model.h"

namespace onnx_lower {

// Whether every external file is there, lies in the model's folder and holds what the tensors say. Throws FileError or InvalidInput.
void check_external_data(const Model& model);

// Copies the files that the model refers to beside `output` when that lies in another folder. Throws FileError, also where the output would take the
// place of one of them.
void copy_external_data(const Model& model, const std::string& output);

}  // namespace onnx_lower

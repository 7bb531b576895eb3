// A model out: its bytes spliced, or its text, with the external data it refers to.
#pragma once

#include <cstdint>
#include <string>

#include "model_file/model.h"

namespace onnx_lower {

// Writes to `path` ("-": standard output); a name that ends in .onnxtxt gets text. External data that the model refers to is copied along when the
// output lies in another folder. Throws FileError, and leaves no output then.
void write_model(Model& model, const std::string& path);

}  // namespace onnx_lower

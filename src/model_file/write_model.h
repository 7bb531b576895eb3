// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes a model, as bytes or as text, together with the external data that it refers to.
#pragma once

#include <string>

#include "model_file/model.h"
#include "model_file/write_options.h"

namespace onnx_lower {

// Writes to `path` ("-": standard output); a file whose name ends in .onnxtxt gets text. The
// model's external data must have been checked. As far as the sizes of files and the names that are
// taken go, all is checked before anything is written. Throws FileError or InvalidInput, and then
// leaves no output.
void write_model(Model& model, const std::string& path, const WriteOptions& options = {},
                 const WriteProgress& progress = {});

}  // namespace onnx_lower

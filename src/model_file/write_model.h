// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A model out: its bytes spliced, or its text, with the external data it refers to.
#pragma once

#include <string>

#include "model_file/model.h"
#include "model_file/write_options.h"

namespace onnx_lower {

// Writes to `path` ("-": standard output); a name that ends in .onnxtxt gets text. The model's
// external data must have been checked. Everything is known to be possible before anything is
// written, as far as the sizes of files and the names that are taken go. Throws FileError or
// InvalidInput, and leaves no output then.
void write_model(Model& model, const std::string& path, const WriteOptions& options = {},
                 const WriteProgress& progress = {});

}  // namespace onnx_lower

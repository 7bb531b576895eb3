// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reads a model from a file.
#pragma once

#include <string>

#include "model_file/input_file.h"
#include "model_file/model.h"

namespace onnx_lower {

// Reads `path` ("-": standard input). A file whose name ends in .onnxtxt is parsed as ONNX's
// textual syntax, as is standard input when it holds text. Throws FileError when the file cannot be
// read, and InvalidInput when it is no ONNX model: protobuf's parsers would not take it, it has no
// graph, or the data of a tensor does not fit its shape.
Model read_model(const std::string& path);

// Reads a model from the content of a file, which must not be text.
Model read_model(InputFile file);

// Reads a node that was made here. `message` is a NodeProto that lives as long as the model, with
// `header` bytes of tag and length before it.
Node read_node(Model& model, Bytes message, size_t header, OpsetContext opsets);

// Reads a function that was made here. `message` is a FunctionProto that lives as
// long as the model.
Function read_function(Model& model, Bytes message);

}  // namespace onnx_lower

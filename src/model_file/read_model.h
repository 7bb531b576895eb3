// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bytes in: the skeleton of a model from a file.
#pragma once

#include <string>

#include "model_file/input_file.h"
#include "model_file/model.h"

namespace onnx_lower {

// Reads `path` ("-": standard input). A name that ends in .onnxtxt, or bytes that are ONNX's
// textual syntax on standard input, is parsed as text.
// Throws FileError when the file cannot be read, InvalidInput when it is no ONNX model: not what
// protobuf's parsers take, no graph, a tensor whose data does not fit its shape.
Model read_model(const std::string& path);

// The same for a file's content, which is no text.
Model read_model(InputFile file);

// The skeleton of a node made here. `message` is a NodeProto that lives as long as the model, with
// `header` bytes of tag and length before it.
Node read_node(Model& model, Bytes message, size_t header, OpsetContext opsets);

// The same for a FunctionProto.
Function read_function(Model& model, Bytes message);

}  // namespace onnx_lower

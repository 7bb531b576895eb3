// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// ONNX's textual syntax for whole models.
#pragma once

#include <string>

#include "model_file/wire.h"

namespace onnx_lower {

// Parses `text` and returns the bytes of the ModelProto. Throws InvalidInput with file, line,
// column and a caret.
std::string model_bytes_from_text(Bytes text, const std::string& path);

// The text of a serialized ModelProto. Throws InvalidInput when protobuf does not read it (nested
// too deep, 2 GiB or more), and when the text would not say all that the model computes: the syntax
// cannot say sparse initializers or the defaults of attributes. Doc strings and metadata are left
// out without a message.
std::string model_text_from_bytes(const std::string& bytes, const std::string& path);

}  // namespace onnx_lower

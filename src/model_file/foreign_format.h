// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

#include "model_file/wire.h"

namespace onnx_lower {

// What a file is that cannot be read as a model, and what to do about it; empty if nothing is known of it.
std::string_view foreign_format(Bytes bytes);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What nodes that rules made say of where they come from.
#pragma once

#include <string_view>

#include "model_file/wire_writer.h"

namespace onnx_lower {

// The metadata_props of nodes that a rule makes for a node of the model, as fields of a NodeProto.
void write_origin_metadata(std::string_view rule, std::string_view node, WireWriter& metadata);

}  // namespace onnx_lower

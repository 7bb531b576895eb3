// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What older IR versions have no words for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

// Drops from all nodes what the IR version does not have: overloads of operators that are no
// functions of the model, metadata (both came with 10), device configurations (11); and the device
// configurations of the model. Says what went and how often: "metadata_props of 12 nodes".
std::vector<std::string> drop_newer_fields(Model& model, int64_t ir_version);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Drops the fields that older IR versions do not have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

// Drops the fields that did not exist in `ir_version`: from all nodes the metadata and the
// overloads of operators that are no functions of the model (both came with 10) and device
// configurations (11), and from the model its device configurations. Returns what was dropped and
// how often: "metadata_props of 12 nodes".
std::vector<std::string> drop_newer_fields(Model& model, int64_t ir_version);

}  // namespace onnx_lower

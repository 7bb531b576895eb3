// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Options that had no effect on a model, which may be misspelt.
#pragma once

#include <string>
#include <vector>

#include "model_file/model.h"
#include "run_options.h"

namespace onnx_lower {

// The texts of those --keep that fit no node of the model, nor any that a rule made. To be asked when the model is lowered.
std::vector<std::string> unused_keeps(const Model& model, const Options& options);

// Whether --target-opset asks for what the model imports. To be asked before it is lowered.
bool is_target_opset_unused(const Model& model, const Options& options);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a runtime refuses of a model though it takes each node.
#pragma once

#include <vector>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"

namespace onnx_lower {

// Throws Error (not_lowered) where a target takes no model without nodes and the model has none, or
// where a target has no values of the element type of an input or output of the model. Nodes that
// read such a value have been refused before; an input that nothing reads, or an output, has not.
void check_whole_model(const Model& model, const LegalizeOptions& options);

// The inputs, outputs and initializers of the main graph that the targets compute as float, one
// entry for each target and element type.
std::vector<ComputedAsFloat> computed_as_float(const Model& model, const LegalizeOptions& options);

}  // namespace onnx_lower

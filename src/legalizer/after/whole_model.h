// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a runtime does not take though it takes each node.
#pragma once

#include <vector>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"

namespace onnx_lower {

// Throws Error where a target of the options takes no model without nodes and the model has none,
// or has no values of the element type of one of the model's inputs or outputs. Nodes that read
// such a value have been refused before; not so an input that nothing reads, or an output.
void check_whole_model(const Model& model, const LegalizeOptions& options);

// What the targets of the options compute as float, of the values that the graph takes, gives or
// holds.
std::vector<ComputedAsFloat> computed_as_float(const Model& model, const LegalizeOptions& options);

}  // namespace onnx_lower

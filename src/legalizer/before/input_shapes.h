// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Gives the inputs of a model the dimensions and values that the user wants, before all else.
#pragma once

#include "legalizer/legalize_options.h"
#include "model_file/model.h"

namespace onnx_lower {

// Writes the dimensions into the declarations of the main graph: of its inputs, and wherever it
// uses the same name for a dimension. An input with a value becomes a Constant, written for the
// opsets `own` that the model imports. Throws UsageError where the options name what the model does
// not have or contradict what it declares, and where a target takes only inputs of static shapes,
// or of known ranks, and the model still has another one; Error (not_lowered) where a target takes
// no scalar or empty inputs, and the model has one.
void fix_inputs(Model& model, const LegalizeOptions& options, OpsetContext own);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which inputs two models are run on.
#pragma once

#include <vector>

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "verify/comparison.h"

namespace onnx_lower {

// Plans the inputs of both models: their names and types are the original's, and which numbers fit
// is what either does with them. `given`: sizes and values that the user gives (--dim,
// --input-shape, --input-value). The sizes of dimensions that stay open are guesses, so that there
// are several plans to be tried. Throws InvalidInput where the inputs of the models do not go
// together.
std::vector<std::vector<PlannedInput>> plan_inputs(const Model& original, const Model& output,
                                                   const LegalizeOptions& given);

}  // namespace onnx_lower

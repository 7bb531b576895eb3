// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where two models that compute different numbers begin to.
#pragma once

#include <optional>
#include <string>

#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "verify/comparison.h"
#include "verify/verify_result.h"

namespace onnx_lower {

// `request`: the comparison in which this output was found to differ. The values that both models
// have under one name are made outputs, so that the runtime shows them. Nothing where the runtime
// does not run the models with these.
std::optional<FirstDifference> find_first_difference(const Model& original, const Model& output,
                                                     const ComparisonRequest& request, const std::string& differing,
                                                     const LegalizeResult* lowered);

}  // namespace onnx_lower

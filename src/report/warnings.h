// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the user should look at in a model that was lowered.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

// Each is one line, without the model's name. Of what there is much of, the first few are told and
// then how many more there are.
std::vector<std::string> warnings_of(const LegalizeResult& result);

}  // namespace onnx_lower

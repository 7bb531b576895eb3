// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A node that could not be lowered, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "legalizer/legalize_result.h"
#include "run_options.h"

namespace onnx_lower {

// `given`: the options of the run, to which its message says what to add.
nlohmann::ordered_json as_json(const UnloweredNode& unlowered, const Options& given);

}  // namespace onnx_lower

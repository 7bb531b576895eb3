// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What --verify found, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "verify/verify_result.h"

namespace onnx_lower {

// `original` and `output`: as the command line names them; empty where the lowered model is not
// written. Of models that are the same, one line with its line break. Of others each output that
// differs, and where that begins; without the line break at its end, as an error is.
std::string verify_message(const std::string& original, const std::string& output, const VerifyResult& result);

nlohmann::ordered_json to_json(const VerifyResult& result);

}  // namespace onnx_lower

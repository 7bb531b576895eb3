// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// --verify: of a model that is lowered, and of two models.
#pragma once

#include "command_line/commands.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "verify/verify_result.h"

namespace onnx_lower {

// Runs the input and the model that was made of it, before that is written. Throws what verify()
// throws.
VerifyResult verify_lowered(const Options& options, Model& lowered, RuleLibrary& library, const LegalizeResult& result);

// Task::verify. Prints what it finds, and writes the report.
ExitStatus verify_two(const Options& options, const Colors& colors);

}  // namespace onnx_lower

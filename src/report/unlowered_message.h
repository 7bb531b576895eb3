// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Why nodes could not be lowered, and what the user can do, for people.
#pragma once

#include <string>

#include "legalizer/legalize_result.h"
#include "report/terminal.h"
#include "run_options.h"

namespace onnx_lower {

// Advice goes with the options that were given. One paragraph for all nodes of an operator that
// have the same reasons; they are errors, or warnings if the user allows them.
std::string unlowered_message(const std::string& input, const LegalizeResult& result, bool allowed,
                              const Colors& colors, const Options& given = {});

// The same of a single node, without colours, without the model's name and without a newline at the
// end.
std::string unlowered_message(const UnloweredNode& node, const Options& given = {});

}  // namespace onnx_lower

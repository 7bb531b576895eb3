// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tells people why nodes could not be lowered, and what they can do.
#pragma once

#include <string>

#include "legalizer/legalize_result.h"
#include "report/terminal.h"
#include "run_options.h"

namespace onnx_lower {

// One paragraph for all nodes of an operator that have the same reasons, with advice that fits the
// options that were given. They are errors, or warnings if the user allows such nodes.
std::string unlowered_message(const std::string& input, const LegalizeResult& result, bool allowed,
                              const Colors& colors, const Options& given = {});

// The message for a single node, without colours, without the model's name and without a
// newline at the end.
std::string unlowered_message(const UnloweredNode& node, const Options& given = {});

}  // namespace onnx_lower

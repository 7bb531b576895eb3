// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Says in a line why a node cannot be lowered.
#pragma once

#include <string>
#include <vector>

#include "legalizer/legalize_result.h"

namespace onnx_lower {

// The operators that a runtime lacks, of the refusals and of all that they rest on, each once, as
// "ai.onnx::Loop".
std::vector<std::string> lacking_operators(const std::vector<Refusal>& refusals);

// A clause about the node, of which the subject is the runtime, or the tool: "has no Loop".
std::string obstacle_of(const UnloweredNode& node);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Why nodes could not be lowered, and what the user can do, for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "legalizer/legalize_result.h"
#include "report/terminal.h"

namespace onnx_lower {

// What the user gave, and advice has to go with.
struct GivenOptions {
  std::vector<std::string> rule_paths;
  std::optional<int64_t> target_opset;
};

// One paragraph for all nodes of an operator that have the same reasons; they are errors, or warnings if the user allows them.
std::string unlowered_message(const std::string& input, const LegalizeResult& result, bool allowed,
                              const Colors& colors, const GivenOptions& given = {});

// The same of a single node, without colours, without the model's name and without a newline at the end.
std::string unlowered_message(const UnloweredNode& node, const GivenOptions& given = {});

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Prints --list-rules.
#pragma once

#include <string>
#include <vector>

#include "rules/rule_library.h"

namespace onnx_lower {

// KERNEL, or "kernel" in JSON, marks operators that the kernel library (kernels/) runs natively.
std::string rule_table(const std::vector<RuleSummary>& rules);
std::string rules_as_json(const std::vector<RuleSummary>& rules);

}  // namespace onnx_lower

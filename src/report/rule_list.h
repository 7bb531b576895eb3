// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Prints --list-rules, and the rules that a report shows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "legalizer/legalize_result.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// KERNEL, or "kernel" in JSON, marks operators that the kernel library (kernels/) runs natively.
std::string rule_table(const std::vector<RuleSummary>& rules);
std::string rules_as_json(const std::vector<RuleSummary>& rules);

// The texts of the rules of the operators that were rewritten, by operator, for a report.
std::map<std::string, std::string> rule_texts(RuleLibrary& library, const LegalizeResult& result);

}  // namespace onnx_lower

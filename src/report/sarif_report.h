// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The report as SARIF 2.1.0, which code hosts and editors show as findings.
#pragma once

#include <string>
#include <vector>

#include "report/json_report.h"
#include "run_options.h"

namespace onnx_lower {

// What was found in one model: a run of SARIF, as JSON.
std::string sarif_run(const Options& options, const RunReport& report);

// The whole file.
std::string sarif_report(const std::vector<std::string>& runs);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a run says on standard error when it comes to its end.
#pragma once

#include <string>
#include <vector>

#include "model_file/model.h"
#include "report/json_report.h"
#include "report/terminal.h"
#include "run_options.h"

namespace onnx_lower {

// Why nodes were not lowered, what else is worth a warning, and, if the run succeeded, the summary
// line.
void print_run_messages(const Options& options, const RunReport& report, const Colors& colors);

// What had no effect on a model, and may be misspelt: the texts of those --keep that fit no node of
// it, nor any that a rule made. To be asked when the model is lowered.
std::vector<std::string> unused_keeps(const Model& model, const Options& options);

}  // namespace onnx_lower

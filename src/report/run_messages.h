// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Prints the messages of a run on standard error when the run ends.
#pragma once

#include <string>
#include <vector>

#include "model_file/model.h"
#include "report/json_report.h"
#include "report/terminal.h"
#include "run_options.h"

namespace onnx_lower {

// Prints why nodes were not lowered, what else the user should be warned of, and, if the run
// succeeded, the summary line.
void print_run_messages(const Options& options, const RunReport& report, const Colors& colors);

// Prints what the targets say of the model, on standard output: as a table, or as JSON with --json.
void print_verdicts(const Options& options, const RunReport& report);

// The values of --keep that fit no node of the model, nor any node that a rule made, and may be
// misspelled. To be called when the model has been lowered.
std::vector<std::string> unused_keeps(const Model& model, const Options& options);

}  // namespace onnx_lower

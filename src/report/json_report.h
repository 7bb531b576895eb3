// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The report on a run for programs to read.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "error.h"
#include "legalizer/legalize_result.h"
#include "run_options.h"

namespace onnx_lower {

struct RunReport {
  LegalizeResult result;
  std::string error;  // why the run ended early; empty if it did not
  ExitStatus status = ExitStatus::done;
  double milliseconds = 0;
  std::vector<std::string> external_files;  // as the input refers to them
  std::vector<std::string> unused_keeps;    // values of --keep that fit no node
};

// A callback that gets the report on the run of one model. It is called when the output is about to
// be written, and again if writing fails.
using ReportWriter = std::function<void(const RunReport&)>;

std::string json_report(const Options& options, const RunReport& report);

// Writes to where --report says; does nothing without --report. Throws FileError.
void write_json_report(const Options& options, const RunReport& report);

}  // namespace onnx_lower

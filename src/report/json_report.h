// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a run did, for programs.
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
  std::string error;  // why the run ended early; else empty
  ExitStatus status = ExitStatus::done;
  double milliseconds = 0;
  std::vector<std::string> external_files;  // that the input refers to, as it says where they are
  std::vector<std::string> unused_keeps;    // --keep that fits no node, as the user gave it
};

// Takes the report of a run on one model. It is called when the output is about to be written, and
// again if that fails.
using ReportWriter = std::function<void(const RunReport&)>;

std::string json_report(const Options& options, const RunReport& report);

// To where --report says, if it does. Throws FileError.
void write_json_report(const Options& options, const RunReport& report);

}  // namespace onnx_lower

// What a run did, for programs.
#pragma once

#include <string>

#include "command_line/options.h"
#include "error.h"
#include "legalizer/legalize_result.h"

namespace onnx_lower {

struct RunReport {
  LegalizeResult result;
  std::string error;  // why the run ended early; else empty
  ExitStatus status = ExitStatus::done;
  double milliseconds = 0;
};

std::string json_report(const Options& options, const RunReport& report);

// To where --report says. Throws FileError.
void write_json_report(const Options& options, const RunReport& report);

}  // namespace onnx_lower

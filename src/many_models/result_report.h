// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is told of each of many models: an object of JSON, on a line of its own.
#pragma once

#include <string>

#include "error.h"
#include "many_models/model_job.h"
#include "many_models/process_pool.h"
#include "report/json_report.h"
#include "report/target_table.h"

namespace onnx_lower {

enum class Outcome { lowered, unchanged, up_to_date, failed };

// From within the process of a model. A result is JSON:
//   status "lowered", "unchanged" (the output is a copy of the input), "up_to_date" or "failed"
//   exit_status   as of a run for this model alone
//   nodes_before, nodes_after
//   lowered how many nodes of each operator were replaced; after "up_to_date": in the run that did
//   it
//   attached      how many stayed, with functions
//   unlowered     how many nodes of each operator stayed
//   unused_settings, unused_keeps
//   assumptions   what nothing in the model proves, by operator
//   targets       with --check: what each says of the model, "as_it_is", "after_lowering" or
//                 "refused"; else empty
//   milliseconds
//   error         null, or why it failed
std::string result_of(const RunReport& report);
std::string failure(ExitStatus status, const std::string& error);
// The result with all that a report of one file says of the model, in the format of that file:
// an object of JSON. It is not for the record, nor for a line of results.
std::string with_details(const std::string& result, const std::string& details);
// The same result with another status.
std::string with_status(const std::string& result, Outcome outcome);

// A result as it is told, and what the run makes of it.
struct ToldResult {
  Outcome outcome = Outcome::failed;
  std::string error;                         // its first line
  std::vector<std::string> unused_settings;  // as given
  std::vector<std::string> unused_keeps;
  std::vector<std::string> assumptions;
  bool needs_lowering = false;  // with --check
  VerdictByTarget verdicts;     // with --check
  // whether the model was looked at, so that the former means something
  bool settings_mattered = false;
  std::string line;     // with its newline
  std::string details;  // see with_details(); empty where there are none
};

// Of a model that a process was at, however that ended.
ToldResult told(const ModelJob& job, const FinishedTask& finished);
// Of a model that needed none.
ToldResult told_up_to_date(const ModelJob& job, const std::string& recorded_result, double milliseconds);

}  // namespace onnx_lower

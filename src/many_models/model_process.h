// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the process of one model does: skip it, or lower it and keep a record.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "command_line/commands.h"
#include "many_models/model_job.h"
#include "report/json_report.h"

namespace onnx_lower {

// Lowers one model, as a run for it alone would, tells of it on standard error and through the
// writer, and gives its exit status. Throws nothing that the user could have caused.
using LowerModel = std::function<ExitStatus(const Options&, const RuleSource&, const ReportWriter&)>;

// What all models share.
struct SharedWork {
  const RuleSource& rules;
  const LowerModel& lower;
  FilesOfRun& files;
};

// Runs the job unless its output turns out to be up to date. `result` becomes a JSON object: see
// result_report.h.
// Several processes, on several machines, may be given the same job: one does it, and the others
// wait and find it done.
ExitStatus process_model(const ModelJob& job, const std::string& key, const SharedWork& shared, std::string& result);

}  // namespace onnx_lower

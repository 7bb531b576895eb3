// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The report on a run for programs to read.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "error.h"
#include "legalizer/legalize_result.h"
#include "report/fewer_nodes.h"
#include "report/target_verdict.h"
#include "run_options.h"
#include "verify/verify_result.h"

namespace onnx_lower {

struct RunReport {
  LegalizeResult result;
  std::string error;  // why the run ended early; empty if it did not
  ExitStatus status = ExitStatus::done;
  double milliseconds = 0;
  std::vector<std::string> external_files;  // as the input refers to them
  std::vector<std::string> unused_keeps;    // values of --keep that fit no node
  std::vector<TargetVerdict> verdicts;      // with --check
  // For a model that has nothing to lower and does not run in the runtimes that are meant where no
  // target is named: a line that names the option that helps.
  std::string where_it_would_run;
  // Of the operators that were lowered, by name; only where the report shows them.
  std::map<std::string, std::string> rule_texts;
  std::optional<VerifyResult> verified;  // nothing without --verify
  std::vector<FewerNodes> fewer;         // for the summary; only without --target
  // The targets that run a model which the one of the options refuses, as it is or lowered; nothing
  // where they were not asked.
  std::optional<std::vector<std::string>> runs_in;
};

// A callback that gets the report on the run of one model. It is called when the output is about to
// be written, and again if writing fails.
using ReportWriter = std::function<void(const RunReport&)>;

// Whether the report has an entry for each node, as programs read it, or for nodes of which the
// same is to be said together, as people do.
enum class ReportedNodes { each, in_groups };

std::string json_report(const Options& options, const RunReport& report, ReportedNodes nodes = ReportedNodes::each);

}  // namespace onnx_lower

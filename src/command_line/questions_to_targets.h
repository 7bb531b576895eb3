// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a run asks targets beside what it writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lowering/lowered_model.h"
#include "report/target_verdict.h"
#include "run_options.h"

namespace onnx_lower {

// What the verdict for all targets of the options together is called.
std::string name_of_targets(const Options& options);

// What the targets that the options name say of the model, each for itself; where they name none,
// what all targets say. `own`: the verdict for what was asked.
std::vector<TargetVerdict> verdicts_of(const Options& options, const Model& model, RuleLibrary& library,
                                       const TargetVerdict& own);

// Whether the run says which targets take the model as it is: a small one that has nothing to
// lower, where the user named none. To ask them takes as long as some twenty runs.
bool tells_where_it_runs(const Options& options, const LegalizeResult& result);

// Whether the run says what it would make for a target of what became many nodes.
bool tells_of_targets(const Options& options, const LegalizeResult& result);

// Where a model that the targets of the options refuse would run, as it is or lowered. Nothing
// where the run does not say it: of a large model, or of many, or with the user's rules, which may
// lead to so many others that each target takes long.
std::optional<std::vector<std::string>> where_else_it_runs(const Options& options, const Model& model);

// A note that names a target for which the model would become one that runs: ONNX Runtime, if that
// does not take it as it is; OpenVINO, if neither does, and only that would help.
std::string where_it_would_run(const Model& model, RuleLibrary& library, LegalizeOptions options,
                               const std::vector<TargetVerdict>& verdicts);

}  // namespace onnx_lower

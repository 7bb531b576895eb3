// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Many models in one run, by several processes at once, skipping what is up to date.
#pragma once

#include "command_line/options.h"
#include "error.h"
#include "many_models/model_process.h"
#include "report/terminal.h"

namespace onnx_lower {

// Lowers the models of options.many. A model that fails, or whose process dies, fails alone: then
// the status is ExitStatus::some_failed. Results go to --report, or to standard output unless that
// is a terminal, as each model ends. Does not return when a signal ends the run: what is done stays
// done, what was under way leaves nothing.
// Throws UsageError, InvalidInput (a rule) and FileError (the list of models, the folder, the
// report) for what concerns the run as a whole.
ExitStatus lower_many(const Options& options, const Colors& colors, const LowerModel& lower);

}  // namespace onnx_lower

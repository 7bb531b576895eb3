// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The files that the command line names.
#pragma once

#include "files_of_run.h"
#include "run_options.h"

namespace onnx_lower {

// Notes the files of rules and of targets that are read for a model. Throws FileClash.
void add_rules_and_targets(FilesOfRun& files, const Options& options);

// The same and the model, its output and the report, of a run on one model, which is the owner that
// is returned. Throws FileClash.
FilesOfRun::Owner add_named_files(FilesOfRun& files, const Options& options);

}  // namespace onnx_lower

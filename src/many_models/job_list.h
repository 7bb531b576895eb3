// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// All that a run has to do.
#pragma once

#include <vector>

#include "command_line/options.h"
#include "files_of_run.h"
#include "many_models/model_job.h"

namespace onnx_lower {

// The models that the command line or the manifest names, folders searched, in that order; of them
// those of the run's shard. Which shard a model is in is decided by its name alone, so it stays
// there whatever models are added or removed.
// `files` gets what the run reads and writes, also of the models of other shards; of these only
// what can be named without a look at them, unless this run would write over a file that is there
// and is not the output of an earlier run.
// Throws FileClash when the run would write over a file that it needs; UsageError when a folder has
// no model; FileError when a folder or the manifest cannot be read.
std::vector<ModelJob> job_list(const Options& options, FilesOfRun& files);

}  // namespace onnx_lower

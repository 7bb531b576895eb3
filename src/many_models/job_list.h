// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// All that a run has to do.
#pragma once

#include <vector>

#include "command_line/options.h"
#include "many_models/model_job.h"

namespace onnx_lower {

// The models that the command line or the manifest names, folders searched, in that order; of them
// those of the run's shard. Which shard a model is in is decided by its name alone, so it stays
// there whatever models are added or removed.
// Throws UsageError when two models (also of different shards) have the same output, or one's
// output or the report is an input, the manifest or a file of rules, and when a folder has no
// model; FileError when a folder or the manifest cannot be read.
std::vector<ModelJob> job_list(const Options& options);

}  // namespace onnx_lower

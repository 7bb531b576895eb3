// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The list of models that --manifest gives: JSON Lines, an object for each model.
#pragma once

#include <functional>

#include "command_line/options.h"
#include "many_models/model_job.h"

namespace onnx_lower {

// Gives the jobs of the manifest, in its order, with `where` ("zoo.jsonl:3") for messages. Keys of
// a line:
//   input   the model, as on the command line
//   output where it goes, below --output-dir if that is given; without it the model keeps the path
//   of its input there
//   id      anything, which the result repeats
//   others options of this model by their long names: "set": ["custom::F.alpha=1"], "target_opset":
//   17, "allow_unlowered": true
// Empty lines are skipped. Throws FileError when it cannot be read, UsageError, which names the
// line, when it makes no sense.
void read_manifest(const Options& options, const std::function<void(ModelJob job, const std::string& where)>& take);

}  // namespace onnx_lower

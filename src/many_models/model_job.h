// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// One of many models: what to read, what to write, and how.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "command_line/options.h"
#include "files_of_run.h"
#include "many_models/record.h"

namespace onnx_lower {

struct ModelJob {
  std::string input;
  std::string output;  // empty with --check
  // What decides its shard: the output's path below --output-dir or, in a manifest, as it stands
  // there. It is the same on every machine.
  std::string name;
  std::shared_ptr<const Options> options;  // without its input and output
  // what the manifest calls it, as JSON; empty: nothing
  std::string id;
  FilesOfRun::Owner owner = FilesOfRun::whole_run;  // of its files
  // What has the output's place before the run.
  std::optional<FileId> present_output = std::nullopt;
  // That of the output, where it was read and is kept.
  std::shared_ptr<const Record> record = nullptr;
};

}  // namespace onnx_lower

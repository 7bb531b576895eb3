// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The data files that the lowering of a model reads and writes.
#pragma once

#include <string>
#include <vector>

#include "files_of_run.h"
#include "model_file/write_options.h"

namespace onnx_lower {

// A model on its way through a run; `output` is empty where none is written.
struct ModelPaths {
  const std::string& input;
  const std::string& output;
};

// The path of an external file, given the model's and the location that the model names.
std::string beside(const std::string& model, const std::string& location);

// Whether a model that is kept with its data may get a file of derived tensors beside it
// (derived_data_ending), given where the data of the input lie.
bool may_have_derived_data(const std::string& output, const std::vector<std::string>& locations);

// Notes the data of the input, which lie at these locations, and those of the output that are their
// copies or are split off. Throws FileClash.
void add_data_files(FilesOfRun& files, FilesOfRun::Owner owner, const ModelPaths& model,
                    const std::vector<std::string>& locations, const WriteOptions& options);

// Of these only the ones that can be named without a look at the model.
void add_split_data(FilesOfRun& files, FilesOfRun::Owner owner, const std::string& output, const WriteOptions& options);

}  // namespace onnx_lower

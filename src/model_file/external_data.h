// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tensors whose elements lie in other files.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model_file/input_file.h"
#include "model_file/model.h"
#include "model_file/range_writer.h"
#include "model_file/tensor_skeleton.h"
#include "same_file.h"

namespace onnx_lower {

// Checks that every external file exists, lies in the model's folder (unless
// `allow_external_paths`), and holds what the tensors say. Throws FileError or InvalidInput.
void check_external_data(const Model& model, bool allow_external_paths);

// The locations that the tensors of the model name, each once.
std::vector<std::string> external_locations(const Model& model);

// The folder that locations are relative to, for a model at `path`. For a model on standard input
// ("<stdin>") it is the current folder.
std::filesystem::path data_folder_of(const std::string& path);

// A model's external files, mapped when they are first asked for. A file that several locations
// name is mapped once, so that tensors which share elements point to the same bytes. The external
// data must have been checked.
class ExternalFiles {
 public:
  explicit ExternalFiles(const Model& model) : folder_(data_folder_of(model.input().path())) {}

  const InputFile& file(std::string_view location);
  // The elements of an external tensor.
  Bytes elements(const TensorFacts& tensor);
  void add_to(RangeSources& sources) const;

 private:
  std::filesystem::path folder_;
  std::map<FileId, std::unique_ptr<InputFile>> files_;
  std::map<std::string, const InputFile*, std::less<>> by_location_;
};

}  // namespace onnx_lower

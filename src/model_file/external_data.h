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

// Whether every external file is there, lies in the model's folder (or may lie anywhere) and holds
// what the tensors say. Throws FileError or InvalidInput.
void check_external_data(const Model& model, bool allow_external_paths);

// The files that the model refers to, each once, as its tensors say where they are.
std::vector<std::string> external_locations(const Model& model);

// The folder that the locations in a model at `path` are relative to; of a model on standard input
// ("<stdin>"), the current one.
std::filesystem::path data_folder_of(const std::string& path);

// A model's external files, mapped when they are first asked for. A file that several locations
// name is mapped once, so that what tensors share stays one range of bytes. The data must have been
// checked.
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

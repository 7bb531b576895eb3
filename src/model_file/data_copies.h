// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// External data that goes along with a model into another folder.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "error.h"
#include "model_file/external_data.h"
#include "model_file/model.h"
#include "model_file/output_file.h"

namespace onnx_lower {

// What is added to the name of new data while the old ones have their place. Nobody calls a file
// this.
constexpr const char* interim_ending = ".onnx-lower-new";

// What is added to the output's name for the file of tensors that are derived from external data
// (derived_tensor.h), where all other external data stay in their own files.
constexpr const char* derived_data_ending = ".lowered.data";

// Whether the output lies in another folder than the input.
bool changes_folder(const Model& model, const std::string& output);

struct DataCopies {
  std::vector<DataOutput> files;  // those that are not there already
  // The folders through which readers go to the files, also where the location leaves a folder
  // again: for "sub/../w.bin", readers go through sub.
  std::vector<std::filesystem::path> folders;
};

// The files and folders that another folder needs for a model that refers to these locations.
// Throws FileError where a file cannot be copied, because its location leaves the folder, or
// because another model's file has the destination's name.
DataCopies data_copies(const Model& model, const std::set<std::string_view>& locations, const std::string& output,
                       ExternalFiles& files);

// The data files of the model that stands at the output's path now; none if there is no model.
// Reads that model.
std::set<std::filesystem::path> present_data_files(const Model& model, const std::string& output);

// Whether a data file may be overwritten because it is among `present`. A file that is not
// may be another model's.
bool is_replaceable(const std::set<std::filesystem::path>& present, const std::filesystem::path& data_file);

// The error for a data file that may be another model's. `advice` is what else the user may do, and
// stands after "remove it, ".
FileError other_data(const std::filesystem::path& data_file, std::string_view advice);

// Refuses an output that would take the place of the model's external data: those of the input, or,
// where the output refers to them by the same locations, those beside it.
void check_output_is_no_data(const Model& model, const std::string& output, bool keeps_data);

// Finds out which of the files the model at the output's path refers to now, and gives
// those an interim name.
void choose_interim_names(const Model& model, const std::string& output, std::vector<DataOutput>& data);

}  // namespace onnx_lower

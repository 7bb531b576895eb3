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

// Whether the output lies in another folder than the input.
bool changes_folder(const Model& model, const std::string& output);

struct DataCopies {
  std::vector<DataOutput> files;  // none that are there already
  // Those on the way to a file, also where the location leaves them again: readers follow
  // "sub/../w.bin" through sub.
  std::vector<std::filesystem::path> folders;
};

// What has to be in another folder for a model that refers to these locations. Throws FileError
// where a file cannot be copied, because its location leaves the folder, or because another model's
// file has its place.
DataCopies data_copies(const Model& model, const std::set<std::string_view>& locations, const std::string& output,
                       ExternalFiles& files);

// The data files of the model that has the output's place now; none if there is no model. Reads it.
std::set<std::filesystem::path> present_data_files(const Model& model, const std::string& output);

// Whether a data file is one of these. Else it may be another model's.
bool is_replaceable(const std::set<std::filesystem::path>& present, const std::filesystem::path& data_file);

// That it may be. `advice`: what else the user may do, after "remove it, ".
FileError other_data(const std::filesystem::path& data_file, std::string_view advice);

// Refuses an output that would take the place of the model's external data: those of the input, or,
// where the output refers to them by the same locations, those beside it.
void check_output_is_no_data(const Model& model, const std::string& output, bool keeps_data);

// Whether the external data of the model lie in this file.
bool is_external_data(const Model& model, const std::string& path);

// Finds out which of the files are referred to by the model that has the output's place now, and
// gives those an interim name.
void choose_interim_names(const Model& model, const std::string& output, std::vector<DataOutput>& data);

}  // namespace onnx_lower

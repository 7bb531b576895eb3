// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes output files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model_file/range_writer.h"
#include "model_file/wire.h"
#include "model_file/write_options.h"

namespace onnx_lower {

// Whether `path` names a regular file, or one that does not exist yet. False for "-", a pipe or a
// device. Throws FileError for a folder, and for symbolic links that form a circle.
bool is_file_output(const std::string& path);

// Writes the ranges one after another to an output that is no file, "-" being standard output.
// Throws FileError.
void write_stream(const std::string& path, std::span<const Bytes> ranges, const RangeSources& sources,
                  const BytesWritten& written);

// The file that an output path stands for: if the path is a symbolic link, the file that it points
// to is replaced, not the link. Throws FileError where that file may not be written.
std::filesystem::path output_destination(const std::string& path);

// Writes bytes to a file, or to an output that is no file. Throws FileError.
void write_output(const std::string& path, Bytes bytes);

// A data file that the model refers to.
struct DataOutput {
  std::filesystem::path destination;
  std::vector<Bytes> ranges;
  // Another name in the same folder, for when the model at the output's path still refers to the
  // present file at `destination`.
  std::filesystem::path interim_name = {};
};

struct ModelOutput {
  std::filesystem::path destination;
  ByteRanges ranges;
  std::vector<DataOutput> data = {};
  // The folders through which readers go to the data.
  std::vector<std::filesystem::path> folders = {};
  // The model with the interim names as locations; empty where there are no interim names.
  ByteRanges interim_ranges = {};
};

// Writes a model and its data files beside their destinations, syncs them where `sync` asks for
// it, and only then gives them their names. A run that fails or is killed before that leaves
// everything as it was. Files get their names one at a time, so the data files come first. Where
// old data files, which the old model needs, have their names, the new data files first get
// interim names and the model is replaced by an interim one that refers to these; then the data
// files take the places of the old ones, the model takes the place of the interim one, and the
// interim names are removed. At every moment the model that stands at the output's path finds its
// own data. Throws FileError.
void write_files(const ModelOutput& output, const RangeSources& sources, const BytesWritten& written, Sync sync);

}  // namespace onnx_lower

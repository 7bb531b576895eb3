// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Bytes out: files that appear whole or not at all.
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

// Whether `path` names a regular file, or one that is still to be made: "-" does not, nor does a
// pipe or a device. Throws FileError for a folder, and for links that lead in a circle.
bool is_file_output(const std::string& path);

// Writes the ranges one after another to an output that is no file, "-" being standard output.
// Throws FileError.
void write_stream(const std::string& path, std::span<const Bytes> ranges, const RangeSources& sources,
                  const BytesWritten& written);

// The file that an output path stands for: what a link points to is replaced, not the link. Throws
// FileError where it may not be written.
std::filesystem::path output_destination(const std::string& path);

// Writes bytes that lie in memory to a file, or to an output that is none. Throws FileError.
void write_output(const std::string& path, Bytes bytes);

// A file that a model refers to.
struct DataOutput {
  std::filesystem::path destination;
  std::vector<Bytes> ranges;
  // Another name in the same folder, when the model that has the output's place now refers to the
  // file that has this one's place.
  std::filesystem::path interim_name = {};
};

struct ModelOutput {
  std::filesystem::path destination;
  ByteRanges ranges;
  std::vector<DataOutput> data = {};
  // That readers go through on their way to the data.
  std::vector<std::filesystem::path> folders = {};
  // The model with the interim names for locations; nothing where there are none.
  ByteRanges interim_ranges = {};
};

// Writes a model and its data beside their destinations, syncs them where `sync` asks for it, and
// only then gives them their names. A run that fails or is killed before that leaves everything as
// it was. Names can be given but one at a time, so data get theirs first; and where old data, which
// the old model needs, are in the way, the new data get an interim name and the model is replaced
// by the interim one that refers to it: then the data can take their place, the model its own, and
// the interim name goes. At every moment the model that is there finds its own data.
// Throws FileError.
void write_files(const ModelOutput& output, const RangeSources& sources, const BytesWritten& written, Sync sync);

}  // namespace onnx_lower

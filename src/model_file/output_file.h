// Bytes out: a file that appears whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model_file/input_file.h"
#include "model_file/wire.h"

namespace onnx_lower {

// Writes the ranges one after another to `path` ("-": standard output). A regular file is written beside its destination, synced and renamed, so
// that a failed or killed run leaves the old file or none; whatever is no regular file (a pipe, /dev/null) is written to directly.
// Ranges that lie in `input`'s mapping are read from its descriptor, which is faster than touching its pages.
// Throws FileError.
void write_output(const std::string& path, const std::vector<Bytes>& ranges, uint64_t size, const InputFile& input);

}  // namespace onnx_lower

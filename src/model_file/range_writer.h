// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Ranges of files and of memory, copied one after another into a file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model_file/input_file.h"
#include "model_file/large_page_allocator.h"
#include "model_file/wire.h"

namespace onnx_lower {

// Many ranges of bytes, of which a model with a hundred thousand subgraphs becomes a million.
using ByteRanges = std::vector<Bytes, LargePageAllocator<Bytes>>;

// Is told how many bytes more have been written.
using BytesWritten = std::function<void(uint64_t)>;

// The files whose mappings ranges may point into. They must outlive this.
class RangeSources {
 public:
  void add(const InputFile& file);
  // The longest beginning of `range` that lies in one file (`file` is set) or in memory (null).
  Bytes first_piece(Bytes range, const InputFile*& file) const;

 private:
  std::vector<const InputFile*> files_;  // in the order of their addresses
};

struct RangeTarget {
  int descriptor = -1;
  const std::string& path;   // for messages
  bool is_new_file = false;  // an empty regular file, in which space can be reserved and holes left
  bool is_synced = false;    // in the end
};

// What lies in a file is read from its descriptor, which is faster than touching its mapped pages;
// holes of a file stay holes, and a file that is copied whole is cloned where the file system can.
// Throws FileError.
void write_ranges(const RangeTarget& target, std::span<const Bytes> ranges, const RangeSources& sources,
                  const BytesWritten& written);

}  // namespace onnx_lower

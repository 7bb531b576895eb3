// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Copies ranges of files and of memory, one after another, into a file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model_file/input_file.h"
#include "model_file/large_page_allocator.h"
#include "model_file/wire.h"

namespace onnx_lower {

// The ranges of a model. One with a hundred thousand subgraphs has a million of them.
using ByteRanges = std::vector<Bytes, LargePageAllocator<Bytes>>;

// A callback that gets the number of bytes written since the last call.
using BytesWritten = std::function<void(uint64_t)>;

// Bytes that are computed when they are written. In lists of ranges their place is taken by a range
// of addresses that nobody may read. It lies beside no other range, so that it is not joined with
// one.
class ComputedBytes {
 public:
  virtual ~ComputedBytes() = default;

  virtual Bytes range() const = 0;
  // Calls `take` with the bytes, block after block.
  virtual void compute(const std::function<void(Bytes)>& take) const = 0;
};

// The files into whose mappings ranges may point, and what ranges stand for computed bytes. All
// must outlive this object.
class RangeSources {
 public:
  void add(const InputFile& file);
  void add(const ComputedBytes& computed);
  // The bytes for which the range stands; null where it stands for itself.
  const ComputedBytes* computed(Bytes range) const;
  // The longest beginning of `range` that lies in one file (then `file` is set)
  // or in memory (null).
  Bytes first_piece(Bytes range, const InputFile*& file) const;

 private:
  std::vector<const InputFile*> files_;  // sorted by address
  std::map<const char*, const ComputedBytes*> computed_;
};

// Calls `take` with the bytes of a range, or with the blocks of those for which it stands.
void for_each_part(Bytes range, const RangeSources& sources, const std::function<void(Bytes)>& take);

struct RangeTarget {
  int descriptor = -1;
  const std::string& path;   // for messages
  bool is_new_file = false;  // an empty regular file: space can be reserved, and holes left
  bool is_synced = false;    // once everything is written
};

// Writes the ranges. Those that lie in a file are read from its descriptor, which is faster than
// touching its mapped pages; holes of a file stay holes, and a file that is copied whole is cloned
// where the file system can do that. Throws FileError.
void write_ranges(const RangeTarget& target, std::span<const Bytes> ranges, const RangeSources& sources,
                  const BytesWritten& written);

}  // namespace onnx_lower

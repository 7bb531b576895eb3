// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Places the elements of many tensors in one file.
#pragma once

#include <cstdint>
#include <vector>

#include "model_file/range_writer.h"
#include "model_file/wire.h"

namespace onnx_lower {

// Elements stand in the order in which they were added, each at an offset at which it can be mapped
// into memory: elements of 1 MiB or more at multiples of 64 KiB, as Windows wants, those of 64 KiB
// or more at multiples of 4 KiB, as other systems do, smaller ones at multiples of 64 bytes.
// Elements that have the same address, or overlap, stand in the file once.
class DataLayout {
 public:
  void add(Bytes elements);
  // Computes the offsets. To be called once, when all elements are added.
  void arrange();

  uint64_t offset_of(Bytes elements) const;
  uint64_t size() const { return size_; }
  // The content of the file.
  std::vector<Bytes> ranges() const;
  // Whether the bytes of `file`, which is mapped, are that content already, because all elements
  // lie in it.
  bool is_content_of(Bytes file) const;
  // Whether `file` has the same bytes. Reads all of it.
  bool equals(Bytes file, const RangeSources& sources = {}) const;

 private:
  struct Segment {
    Bytes bytes;
    size_t order = 0;      // the place of the first of its elements in the order of addition
    uint64_t largest = 0;  // the size of the largest of its elements
    uint64_t offset = 0;
  };

  std::vector<Segment> segments_;  // sorted by address
  std::vector<size_t> by_offset_;  // indices of segments
  uint64_t size_ = 0;
};

}  // namespace onnx_lower

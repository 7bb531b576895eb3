// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where in one file the elements of many tensors stand.
#pragma once

#include <cstdint>
#include <vector>

#include "model_file/wire.h"

namespace onnx_lower {

// Elements stand in the order in which they were added, each at an offset at which it can be mapped
// into memory: from 1 MiB on at multiples of 64 KiB, as Windows wants, from 64 KiB on at multiples
// of 4 KiB, as other systems do, smaller ones at multiples of 64 bytes. Elements that are the same
// bytes, or overlap, stand there once.
class DataLayout {
 public:
  void add(Bytes elements);
  // To be called once, when all are there.
  void arrange();

  uint64_t offset_of(Bytes elements) const;
  uint64_t size() const { return size_; }
  // The content of the file.
  std::vector<Bytes> ranges() const;
  // Whether `file` is that content already, because all the elements come from there.
  bool is_content_of(Bytes file) const;
  // Whether `file` has the same bytes. Reads all of it.
  bool equals(Bytes file) const;

 private:
  struct Segment {
    Bytes bytes;
    size_t order = 0;      // of the first of its elements
    uint64_t largest = 0;  // of its elements
    uint64_t offset = 0;
  };

  std::vector<Segment> segments_;  // sorted by address
  std::vector<size_t> by_offset_;  // indices of segments
  uint64_t size_ = 0;
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/data_layout.h"

#include <algorithm>
#include <numeric>

namespace onnx_lower {
namespace {

constexpr uint64_t largest_alignment = uint64_t{64} << 10;

// The bytes that fill the space before an aligned offset. They are not const, since constant data
// would make the executable larger.
char zeros[largest_alignment];

// Small tensors get a smaller alignment: there are many of them, and the file
// would be mostly padding.
uint64_t alignment_of(uint64_t size) {
  if (size >= uint64_t{1} << 20) return largest_alignment;
  if (size >= uint64_t{64} << 10) return uint64_t{4} << 10;
  return 64;
}

const char* end_of(Bytes bytes) { return bytes.data() + bytes.size(); }

}  // namespace

void DataLayout::add(Bytes elements) { segments_.push_back({elements, segments_.size(), elements.size(), 0}); }

void DataLayout::arrange() {
  std::sort(segments_.begin(), segments_.end(), [](const Segment& a, const Segment& b) {
    return a.bytes.data() != b.bytes.data() ? a.bytes.data() < b.bytes.data() : a.order < b.order;
  });
  std::vector<Segment> merged;
  for (const Segment& segment : segments_) {
    if (merged.empty() || segment.bytes.data() >= end_of(merged.back().bytes)) {
      merged.push_back(segment);
      continue;
    }
    Segment& last = merged.back();
    const char* end = std::max(end_of(last.bytes), end_of(segment.bytes));
    last.bytes = Bytes(last.bytes.data(), static_cast<size_t>(end - last.bytes.data()));
    last.order = std::min(last.order, segment.order);
    last.largest = std::max(last.largest, segment.largest);
  }
  segments_ = std::move(merged);

  by_offset_.resize(segments_.size());
  std::iota(by_offset_.begin(), by_offset_.end(), size_t{0});
  std::sort(by_offset_.begin(), by_offset_.end(),
            [this](size_t a, size_t b) { return segments_[a].order < segments_[b].order; });
  for (const size_t index : by_offset_) {
    Segment& segment = segments_[index];
    const uint64_t alignment = alignment_of(segment.largest);
    segment.offset = (size_ + alignment - 1) / alignment * alignment;
    size_ = segment.offset + segment.bytes.size();
  }
}

uint64_t DataLayout::offset_of(Bytes elements) const {
  const auto behind =
      std::upper_bound(segments_.begin(), segments_.end(), elements.data(),
                       [](const char* data, const Segment& segment) { return data < segment.bytes.data(); });
  const Segment& segment = *(behind - 1);
  return segment.offset + static_cast<uint64_t>(elements.data() - segment.bytes.data());
}

std::vector<Bytes> DataLayout::ranges() const {
  std::vector<Bytes> ranges;
  uint64_t position = 0;
  for (const size_t index : by_offset_) {
    const Segment& segment = segments_[index];
    if (segment.offset > position) ranges.emplace_back(zeros, segment.offset - position);
    ranges.push_back(segment.bytes);
    position = segment.offset + segment.bytes.size();
  }
  return ranges;
}

bool DataLayout::is_content_of(Bytes file) const {
  return file.size() == size_ && std::all_of(segments_.begin(), segments_.end(), [file](const Segment& segment) {
           return segment.bytes.data() == file.data() + segment.offset;
         });
}

bool DataLayout::equals(Bytes file, const RangeSources& sources) const {
  if (file.size() != size_) return false;
  bool are_equal = true;
  for (const Bytes range : ranges()) {
    for_each_part(range, sources, [&](Bytes part) {
      are_equal = are_equal && file.starts_with(part);
      file.remove_prefix(part.size());
    });
    if (!are_equal) return false;
  }
  return true;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A protobuf message whose bytes lie in several ranges, read field by field without being joined.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model_file/wire.h"

namespace onnx_lower {

// Consecutive bytes of a sequence of ranges. Refers to the sequence: parts[0] without its first
// `skipped` bytes, then the parts behind it.
struct ScatteredBytes {
  const Bytes* parts = nullptr;
  size_t skipped = 0;
  uint64_t size = 0;

  static ScatteredBytes all_of(std::span<const Bytes> ranges);

  // Calls take(Bytes) for each piece, in order.
  template <typename Take>
  void for_each_piece(Take take) const {
    const Bytes* part = parts;
    size_t skip = skipped;
    for (uint64_t left = size; left > 0; ++part, skip = 0) {
      const Bytes piece = part->substr(skip, left);
      if (!piece.empty()) take(piece);
      left -= piece.size();
    }
  }
};

struct ScatteredField {
  uint32_t number = 0;
  WireType type = WireType::varint;
  ScatteredBytes whole;    // tag, length and content
  ScatteredBytes content;  // of a length-delimited field
};

// Throws MalformedMessage, as WireReader does.
class ScatteredReader {
 public:
  explicit ScatteredReader(const ScatteredBytes& message) : rest_(message) {}

  bool next(ScatteredField& field);

 private:
  uint8_t byte();
  uint64_t varint();
  // The next bytes, which are then behind.
  ScatteredBytes take(uint64_t count);
  // Of a field: its content if it is length-delimited; what else there is goes by.
  ScatteredBytes value(WireType type);

  ScatteredBytes rest_;
};

}  // namespace onnx_lower

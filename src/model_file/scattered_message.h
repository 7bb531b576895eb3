// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reads a protobuf message whose bytes lie in several ranges, field by field,
// without joining the ranges.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model_file/wire.h"

namespace onnx_lower {

// Consecutive bytes of a sequence of ranges. They begin in parts[0] after its first `skipped`
// bytes, and go on in the parts behind it. The sequence must outlive this object.
struct ScatteredBytes {
  const Bytes* parts = nullptr;
  size_t skipped = 0;
  uint64_t size = 0;

  static ScatteredBytes all_of(std::span<const Bytes> ranges);

  // Calls take(Bytes) for each range, in order.
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
  ScatteredBytes content;  // empty unless the field is length-delimited
};

// Reads the fields of a message. Throws MalformedMessage, as WireReader does.
class ScatteredReader {
 public:
  explicit ScatteredReader(const ScatteredBytes& message) : rest_(message) {}

  bool next(ScatteredField& field);

 private:
  uint8_t byte();
  uint64_t varint();
  // The next bytes; the reader then stands behind them.
  ScatteredBytes take(uint64_t count);
  // The content of a length-delimited field. A value of another type is skipped.
  ScatteredBytes value(WireType type);

  ScatteredBytes rest_;
};

}  // namespace onnx_lower

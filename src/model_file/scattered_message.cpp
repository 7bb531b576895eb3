// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/scattered_message.h"

namespace onnx_lower {

ScatteredBytes ScatteredBytes::all_of(std::span<const Bytes> ranges) {
  uint64_t size = 0;
  for (const Bytes range : ranges) size += range.size();
  return {ranges.data(), 0, size};
}

uint8_t ScatteredReader::byte() {
  if (rest_.size == 0) throw MalformedMessage("the message ends within a number (is the file cut short?)");
  while (rest_.skipped == rest_.parts->size()) {
    ++rest_.parts;
    rest_.skipped = 0;
  }
  --rest_.size;
  return static_cast<uint8_t>((*rest_.parts)[rest_.skipped++]);
}

uint64_t ScatteredReader::varint() {
  uint64_t result = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t next = byte();
    result |= static_cast<uint64_t>(next & 0x7f) << shift;
    if (next < 0x80) return result;
  }
  throw MalformedMessage("a number is longer than 64 bits");
}

ScatteredBytes ScatteredReader::take(uint64_t count) {
  if (count > rest_.size) throw MalformedMessage("a field ends beyond its message (is the file cut short?)");
  const ScatteredBytes taken{rest_.parts, rest_.skipped, count};
  rest_.size -= count;
  while (count > 0) {
    const uint64_t here = rest_.parts->size() - rest_.skipped;
    if (count < here) {
      rest_.skipped += count;
      break;
    }
    count -= here;
    ++rest_.parts;
    rest_.skipped = 0;
  }
  return taken;
}

ScatteredBytes ScatteredReader::value(WireType type) {
  switch (type) {
    case WireType::varint:
      varint();
      return {};
    case WireType::fixed64:
      take(8);
      return {};
    case WireType::fixed32:
      take(4);
      return {};
    case WireType::length_delimited:
      return take(varint());
    case WireType::group_start:
      // Groups are long deprecated, and ONNX has none: a group is skipped like any unknown field.
      for (auto inner = WireType(varint() & 7); inner != WireType::group_end; inner = WireType(varint() & 7))
        value(inner);
      return {};
    default:
      throw MalformedMessage("a field has an unknown wire type");
  }
}

bool ScatteredReader::next(ScatteredField& field) {
  if (rest_.size == 0) return false;
  const ScatteredBytes start = rest_;
  const auto tag = static_cast<uint32_t>(varint());
  field.number = tag >> 3;
  field.type = static_cast<WireType>(tag & 7);
  if (field.number == 0) throw MalformedMessage("a field has the number 0");
  field.content = value(field.type);
  field.whole = {start.parts, start.skipped, start.size - rest_.size};
  return true;
}

}  // namespace onnx_lower

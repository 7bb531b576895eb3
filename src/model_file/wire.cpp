// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/wire.h"

#include <algorithm>

namespace onnx_lower {

void fail_malformed(const char* problem) { throw MalformedMessage(problem); }

WireReader::LongVarint WireReader::read_long_varint(const char* position, const char* end) {
  uint64_t result = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (position == end) fail_malformed("the message ends within a number (is the file cut short?)");
    const auto byte = static_cast<uint8_t>(*position++);
    result |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return {result, position};
  }
  fail_malformed("a number is longer than 64 bits");
}

// Protobuf reads at most five bytes of a tag, and drops the bits that do not fit into 32.
WireReader::LongVarint WireReader::read_long_tag(const char* position, const char* end) {
  constexpr int most_bytes = 5;
  const LongVarint read = read_long_varint(position, end);
  if (read.end - position > most_bytes) fail_malformed("a field has an impossible number");
  const auto tag = static_cast<uint32_t>(read.value);
  if (tag >> 3 == 0) fail_malformed("a field has the number 0");
  return {tag, read.end};
}

// Protobuf reads at most five bytes of a length. Longer lengths are accepted here where they are
// needed, which is for a file that protobuf could not read in any case.
WireReader::LongVarint WireReader::read_long_length(const char* position, const char* end) {
  constexpr int most_bytes = 5;
  const LongVarint read = read_long_varint(position, end);
  if (read.end - position > most_bytes && read.value >> (7 * most_bytes) == 0)
    fail_malformed("the length of a field is written with more bytes than any reader takes");
  return read;
}

WireReader::LongVarint WireReader::read_group(Bytes rest, uint32_t number) {
  WireReader reader(rest);
  std::u32string numbers(1, number);
  size_t levels = 1;
  while (!numbers.empty()) {
    if (reader.at_end()) fail_malformed("a group is not closed");
    const uint32_t tag = reader.tag();
    switch (static_cast<WireType>(tag & 7)) {
      case WireType::varint:
        reader.varint();
        break;
      case WireType::fixed64:
        reader.fixed<uint64_t>();
        break;
      case WireType::fixed32:
        reader.fixed<uint32_t>();
        break;
      case WireType::length_delimited:
        reader.position_ += reader.length();
        break;
      case WireType::group_start:
        numbers.push_back(tag >> 3);
        if (numbers.size() > deepest_message) fail_malformed("groups are nested deeper than any reader takes");
        levels = std::max(levels, numbers.size());
        break;
      case WireType::group_end:
        if (numbers.back() != tag >> 3) fail_malformed("a group is closed by the end of another");
        numbers.pop_back();
        break;
      default:
        fail_malformed("a field has an unknown wire type");
    }
  }
  return {levels, reader.position_};
}

uint64_t count_varints(Bytes packed) {
  constexpr size_t longest = 10;
  constexpr uint64_t goes_on = 0x8080808080808080;
  uint64_t count = 0;
  size_t begun = 0;  // how many bytes of the current number have been read
  while (!packed.empty()) {
    uint64_t block = 0;
    if (begun == 0 && packed.size() >= sizeof(block)) {
      std::memcpy(&block, packed.data(), sizeof(block));
      if ((block & goes_on) == 0) {  // eight numbers of one byte each
        count += sizeof(block);
        packed.remove_prefix(sizeof(block));
        continue;
      }
    }
    if (++begun > longest) fail_malformed("a number is longer than 64 bits");
    if (static_cast<uint8_t>(packed.front()) < 0x80) {
      ++count;
      begun = 0;
    }
    packed.remove_prefix(1);
  }
  if (begun != 0) fail_malformed("packed numbers end within one of them");
  return count;
}

Bytes last_field(Bytes message, uint32_t tag) {
  Bytes last;
  try {
    WireField field;
    for (WireReader reader(message); reader.next(field);) {
      if (field.tag == tag) last = field.content;
    }
  } catch (const MalformedMessage&) {
    // The fields before the malformed one suffice.
  }
  return last;
}

}  // namespace onnx_lower

#include "model_file/wire.h"

namespace onnx_lower {

void fail_malformed(const char* problem) { throw MalformedMessage(problem); }

void fail_wrong_wire_type(const char* what) { throw MalformedMessage(std::string(what) + " has the wrong wire type"); }

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

const char* WireReader::end_of_group(Bytes rest, uint32_t number) {
  WireReader reader(rest);
  // Protobuf's own parsers stop at a depth of 100; a counter in place of recursion keeps any depth harmless.
  std::u32string numbers(1, number);
  while (!numbers.empty()) {
    if (reader.at_end()) fail_malformed("a group is not closed");
    const uint64_t tag = reader.varint();
    const auto inner = static_cast<uint32_t>(tag >> 3);
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
      case WireType::length_delimited: {
        const uint64_t length = reader.varint();
        if (length > static_cast<uint64_t>(reader.end_ - reader.position_))
          fail_malformed("a field ends beyond its message");
        reader.position_ += length;
        break;
      }
      case WireType::group_start:
        numbers.push_back(inner);
        break;
      case WireType::group_end:
        if (numbers.back() != inner) fail_malformed("a group is closed by the end of another");
        numbers.pop_back();
        break;
      default:
        fail_malformed("a field has an unknown wire type");
    }
  }
  return reader.position_;
}

}  // namespace onnx_lower

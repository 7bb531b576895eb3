#include "model_file/wire.h"

namespace onnx_lower {

void WireReader::skip_group(uint32_t number) {
  // Protobuf's own parsers stop at a depth of 100; a counter in place of recursion keeps any depth harmless.
  std::u32string numbers(1, number);
  while (!numbers.empty()) {
    if (at_end()) throw MalformedMessage("a group is not closed");
    const uint64_t tag = varint();
    const auto inner = static_cast<uint32_t>(tag >> 3);
    switch (static_cast<WireType>(tag & 7)) {
      case WireType::varint:
        varint();
        break;
      case WireType::fixed64:
        fixed<uint64_t>();
        break;
      case WireType::fixed32:
        fixed<uint32_t>();
        break;
      case WireType::length_delimited: {
        const uint64_t length = varint();
        if (length > static_cast<uint64_t>(end_ - position_)) throw MalformedMessage("a field ends beyond its message");
        position_ += length;
        break;
      }
      case WireType::group_start:
        numbers.push_back(inner);
        break;
      case WireType::group_end:
        if (numbers.back() != inner) throw MalformedMessage("a group is closed by the end of another");
        numbers.pop_back();
        break;
      default:
        throw MalformedMessage("a field has an unknown wire type");
    }
  }
}

}  // namespace onnx_lower

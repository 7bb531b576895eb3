// Protobuf's wire format: reading a message field by field without making objects of it, and writing fields.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

namespace onnx_lower {

// A range of the input file, or of memory that lives as long as the model.
using Bytes = std::string_view;

// The bytes do not follow protobuf's wire format, or a known field has the wrong wire type.
class MalformedMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class WireType : uint8_t {
  varint = 0,
  fixed64 = 1,
  length_delimited = 2,
  group_start = 3,
  group_end = 4,
  fixed32 = 5
};

[[noreturn]] void fail_malformed(const char* problem);
[[noreturn]] void fail_wrong_wire_type(const char* what);

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::varint;
  Bytes whole;         // tag, length and content
  Bytes content;       // of a length-delimited field
  uint64_t value = 0;  // of the other types

  // The content of a field that must be length-delimited, respectively a varint; `what` names it in the error.
  Bytes bytes(const char* what) const {
    if (type != WireType::length_delimited) fail_wrong_wire_type(what);
    return content;
  }
  int64_t integer(const char* what) const {
    if (type != WireType::varint) fail_wrong_wire_type(what);
    return static_cast<int64_t>(value);
  }
};

// Reads the fields of one message in the order in which they stand. Most of the tool's time on a large model goes by here: all that is common is inline
// and works on copies, so that a loop over fields keeps in registers what it uses of reader and field, and computes nothing else.
class WireReader {
 public:
  explicit WireReader(Bytes message) : position_(message.data()), end_(message.data() + message.size()) {}

  [[gnu::always_inline]] bool next(WireField& field) {
    if (position_ == end_) return false;
    const char* start = position_;
    const uint64_t tag = varint();
    field.number = static_cast<uint32_t>(tag >> 3);
    field.type = static_cast<WireType>(tag & 7);
    if (field.number == 0 || tag >> 32 != 0) fail_malformed("a field has an impossible number");
    if (field.type == WireType::length_delimited) [[likely]] {
      const uint64_t length = varint();
      if (length > static_cast<uint64_t>(end_ - position_))
        fail_malformed("a field ends beyond its message (is the file cut short?)");
      field.content = Bytes(position_, length);
      position_ += length;
    } else if (field.type == WireType::varint) {
      field.value = varint();
    } else if (field.type == WireType::fixed32) {
      field.value = fixed<uint32_t>();
    } else if (field.type == WireType::fixed64) {
      field.value = fixed<uint64_t>();
    } else if (field.type == WireType::group_start) {
      position_ = end_of_group({position_, static_cast<size_t>(end_ - position_)}, field.number);
    } else {
      fail_malformed("a field has an unknown wire type");
    }
    field.whole = Bytes(start, static_cast<size_t>(position_ - start));
    return true;
  }

  // The next varint of a packed field.
  [[gnu::always_inline]] uint64_t varint() {
    // Nearly every tag and most lengths take one byte.
    if (position_ != end_ && static_cast<uint8_t>(*position_) < 0x80) return static_cast<uint8_t>(*position_++);
    const LongVarint number = read_long_varint(position_, end_);
    position_ = number.end;
    return number.value;
  }

  bool at_end() const { return position_ == end_; }

 private:
  struct LongVarint {
    uint64_t value;
    const char* end;
  };
  static LongVarint read_long_varint(const char* position, const char* end);

  template <typename Number>
  Number fixed() {
    if (static_cast<size_t>(end_ - position_) < sizeof(Number))
      fail_malformed("the message ends within a number (is the file cut short?)");
    static_assert(std::endian::native == std::endian::little);
    Number number;
    std::memcpy(&number, position_, sizeof(Number));
    position_ += sizeof(Number);
    return number;
  }

  // Groups are long deprecated, and ONNX has none; an unknown one is skipped like any unknown field. Returns where the one that has begun ends.
  static const char* end_of_group(Bytes rest, uint32_t number);

  const char* position_;
  const char* end_;
};

constexpr size_t varint_size(uint64_t value) {
  return value == 0 ? 1 : (static_cast<size_t>(std::bit_width(value)) + 6) / 7;
}

// Returns what is behind it.
inline char* write_varint(char* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

inline void append_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

constexpr uint64_t wire_tag(uint32_t number, WireType type) {
  return static_cast<uint64_t>(number) << 3 | static_cast<uint64_t>(type);
}

// The tag and the length that stand before the content of a length-delimited field.
inline void append_header(std::string& out, uint32_t number, uint64_t length) {
  append_varint(out, wire_tag(number, WireType::length_delimited));
  append_varint(out, length);
}

inline size_t header_size(uint32_t number, uint64_t length) {
  return varint_size(wire_tag(number, WireType::length_delimited)) + varint_size(length);
}

inline size_t varint_field_size(uint32_t number, uint64_t value) {
  return varint_size(wire_tag(number, WireType::varint)) + varint_size(value);
}

inline void append_field(std::string& out, uint32_t number, std::string_view content) {
  append_header(out, number, content.size());
  out.append(content);
}

inline void append_field(std::string& out, uint32_t number, uint64_t value) {
  append_varint(out, wire_tag(number, WireType::varint));
  append_varint(out, value);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Protobuf's wire format: reads a message field by field without making objects of
// it, and writes fields.
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

// The bytes do not follow protobuf's wire format, or have a content that no reader of ONNX accepts.
class MalformedMessage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  // The same error with the place where it occurred: "node 'n' (ai.onnx::Relu)". Of nested places
  // only the innermost ones are named.
  MalformedMessage inside(const std::string& place) const {
    constexpr int most_places = 6;
    if (places_ == most_places) return *this;
    MalformedMessage located(place + ": " + what());
    located.places_ = places_ + 1;
    return located;
  }

 private:
  int places_ = 0;
};

// Protobuf's own parsers, and so the readers of ONNX, accept no message that is nested in more
// messages than this. Groups count as messages; the outermost message does not count.
constexpr int deepest_message = 100;

enum class WireType : uint8_t {
  varint = 0,
  fixed64 = 1,
  length_delimited = 2,
  group_start = 3,
  group_end = 4,
  fixed32 = 5
};

[[noreturn]] void fail_malformed(const char* problem);

// A field's number and wire type as they stand before its value. Protobuf takes a field that has a
// known number and another wire type than its own for an unknown field; that is why fields are
// looked for by their tag and not by their number.
constexpr uint32_t wire_tag(uint32_t number, WireType type) { return number << 3 | static_cast<uint32_t>(type); }
constexpr uint32_t delimited_tag(uint32_t number) { return wire_tag(number, WireType::length_delimited); }
constexpr uint32_t varint_tag(uint32_t number) { return wire_tag(number, WireType::varint); }

struct WireField {
  uint32_t tag = 0;
  uint32_t number = 0;
  WireType type = WireType::varint;
  Bytes whole;         // tag, length and content
  Bytes content;       // of a length-delimited field; empty for others
  uint64_t value = 0;  // of the other types; for a group, how deep its groups nest
};

// Reads the fields of one message in the order in which they stand. Most of the tool's time on a
// large model is spent here: the common cases are inline and work on copies, so that a loop over
// fields keeps in registers what it uses of reader and field, and computes nothing else.
class WireReader {
 public:
  explicit WireReader(Bytes message) : position_(message.data()), end_(message.data() + message.size()) {}

  [[gnu::always_inline]] bool next(WireField& field) {
    if (position_ == end_) return false;
    const char* start = position_;
    field.tag = tag();
    field.number = field.tag >> 3;
    field.type = static_cast<WireType>(field.tag & 7);
    if (field.type == WireType::length_delimited) [[likely]] {
      const uint64_t size = length();
      field.content = Bytes(position_, size);
      position_ += size;
    } else {
      field.content = {};
      read_value(field);
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
  static LongVarint read_long_tag(const char* position, const char* end);
  static LongVarint read_long_length(const char* position, const char* end);

  [[gnu::always_inline]] uint32_t tag() {
    // Tags of fields up to number 15 take one byte, those of all other fields of ONNX take two.
    const uint32_t first = static_cast<uint8_t>(*position_);
    if (first < 0x80) [[likely]] {
      if (first < 8) fail_malformed("a field has the number 0");
      ++position_;
      return first;
    }
    if (end_ - position_ > 1 && position_[1] > 0) {
      const uint32_t second = static_cast<uint8_t>(position_[1]);
      position_ += 2;
      return second << 7 | (first & 0x7f);
    }
    const LongVarint read = read_long_tag(position_, end_);
    position_ = read.end;
    return static_cast<uint32_t>(read.value);
  }

  [[gnu::always_inline]] uint64_t length() {
    uint64_t size = 0;
    if (position_ != end_ && static_cast<uint8_t>(*position_) < 0x80) {
      size = static_cast<uint8_t>(*position_++);
    } else {
      const LongVarint read = read_long_length(position_, end_);
      size = read.value;
      position_ = read.end;
    }
    if (size > static_cast<uint64_t>(end_ - position_))
      fail_malformed("a field ends beyond its message (is the file cut short?)");
    return size;
  }

  // Reads the value of a field that is not length-delimited.
  [[gnu::always_inline]] void read_value(WireField& field) {
    if (field.type == WireType::varint) {
      field.value = varint();
    } else if (field.type == WireType::fixed32) {
      field.value = fixed<uint32_t>();
    } else if (field.type == WireType::fixed64) {
      field.value = fixed<uint64_t>();
    } else if (field.type == WireType::group_start) {
      const LongVarint group = read_group({position_, static_cast<size_t>(end_ - position_)}, field.number);
      field.value = group.value;
      position_ = group.end;
    } else {
      fail_malformed(field.type == WireType::group_end ? "a group ends that has not begun"
                                                       : "a field has an unknown wire type");
    }
  }

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

  // Groups are long deprecated, and ONNX has none; an unknown group is skipped like any unknown
  // field. Returns how deep the groups in it nest, and where it ends.
  static LongVarint read_group(Bytes rest, uint32_t number);

  const char* position_;
  const char* end_;
};

// Makes `bytes` longer by `more`, which has to lie right behind it in memory. Returns false where
// it does not.
inline bool extend(Bytes& bytes, Bytes more) {
  if (bytes.data() + bytes.size() != more.data()) return false;
  bytes = Bytes(bytes.data(), bytes.size() + more.size());
  return true;
}

// Whether a value is an enumerator, where protobuf generated `is_valid` for the enumeration.
// Protobuf takes a field with another value for an unknown field.
template <bool (*is_valid)(int)>
bool is_enumerator(uint64_t value) {
  const auto number = static_cast<int>(value);
  return static_cast<uint64_t>(int64_t{number}) == value && is_valid(number);
}

// How many numbers a packed field of varints holds. Throws MalformedMessage where one of them is
// cut short or too long.
uint64_t count_varints(Bytes packed);

// The content of a length-delimited field.
inline Bytes content_of(Bytes whole_field) {
  WireField field;
  WireReader(whole_field).next(field);
  return field.content;
}

// The content of the last field with this tag, as far as the message can be read. For messages
// about a model that cannot be read.
Bytes last_field(Bytes message, uint32_t tag);

constexpr size_t varint_size(uint64_t value) {
  return value == 0 ? 1 : (static_cast<size_t>(std::bit_width(value)) + 6) / 7;
}

// Returns the place behind what it wrote.
inline char* write_varint(char* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

// The most bytes that the tag and length of a length-delimited field take: two varints of at most
// ten bytes each.
constexpr size_t longest_header = 20;

inline char* write_header(char* out, uint32_t number, uint64_t length) {
  return write_varint(write_varint(out, wire_tag(number, WireType::length_delimited)), length);
}

inline char* write_bytes(char* out, Bytes bytes) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  return out + bytes.size();
}

inline char* write_field(char* out, uint32_t number, Bytes content) {
  return write_bytes(write_header(out, number, content.size()), content);
}

inline char* write_varint_field(char* out, uint32_t number, uint64_t value) {
  return write_varint(write_varint(out, wire_tag(number, WireType::varint)), value);
}

inline void append_varint(std::string& out, uint64_t value) {
  char bytes[longest_header / 2];
  out.append(bytes, static_cast<size_t>(write_varint(bytes, value) - bytes));
}

// Appends the tag and the length that stand before the content of a length-delimited field.
inline void append_header(std::string& out, uint32_t number, uint64_t length) {
  char header[longest_header];
  out.append(header, static_cast<size_t>(write_header(header, number, length) - header));
}

constexpr size_t header_size(uint32_t number, uint64_t length) {
  return varint_size(wire_tag(number, WireType::length_delimited)) + varint_size(length);
}

constexpr size_t field_size(uint32_t number, uint64_t length) { return header_size(number, length) + length; }

inline size_t varint_field_size(uint32_t number, uint64_t value) {
  return varint_size(wire_tag(number, WireType::varint)) + varint_size(value);
}

// Appends that many bytes, and returns where they are to be written.
inline char* append_room(std::string& out, size_t size) {
  out.resize(out.size() + size);
  return out.data() + out.size() - size;
}

inline void append_field(std::string& out, uint32_t number, std::string_view content) {
  write_field(append_room(out, field_size(number, content.size())), number, content);
}

inline void append_field(std::string& out, uint32_t number, uint64_t value) {
  append_varint(out, wire_tag(number, WireType::varint));
  append_varint(out, value);
}

}  // namespace onnx_lower

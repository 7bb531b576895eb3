// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Fields into a buffer that is used again and again, for messages that are made by the ten thousand.
#pragma once

#include <google/protobuf/message_lite.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "model_file/wire.h"

namespace onnx_lower {

class WireWriter {
 public:
  // What was written since the last clear(); valid until the next call.
  Bytes written() const { return {buffer_.data(), size_}; }
  size_t size() const { return size_; }
  void clear() { size_ = 0; }

  // Fields that are encoded already.
  void append(Bytes encoded) {
    std::copy(encoded.begin(), encoded.end(), room(encoded.size()));
    size_ += encoded.size();
  }

  // The tag and the length of a field whose content comes next.
  void begin_field(uint32_t number, uint64_t length) {
    size_ = static_cast<size_t>(header(number, length) - buffer_.data());
  }

  void varint_field(uint32_t number, uint64_t value) {
    constexpr size_t longest = 20;
    const char* end = write_varint(write_varint(room(longest), wire_tag(number, WireType::varint)), value);
    size_ = static_cast<size_t>(end - buffer_.data());
  }

  void field(uint32_t number, Bytes content) {
    const char* end = std::copy(content.begin(), content.end(), header(number, content.size()));
    size_ = static_cast<size_t>(end - buffer_.data());
  }

  void field(uint32_t number, const google::protobuf::MessageLite& message) {
    const size_t length = message.ByteSizeLong();
    uint8_t* end = message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(header(number, length)));
    size_ = static_cast<size_t>(reinterpret_cast<char*>(end) - buffer_.data());
  }

 private:
  // Where the next bytes go; there is room for that many.
  char* room(size_t size) {
    if (buffer_.size() - size_ < size) buffer_.resize((size_ + size) * 2);
    return buffer_.data() + size_;
  }

  // Makes room for a field and writes its tag and length. Returns where its content goes.
  char* header(uint32_t number, uint64_t length) {
    char* out = room(longest_header + length);
    return write_header(out, number, length);
  }

  std::string buffer_ = std::string(256, '\0');
  size_t size_ = 0;
};

}  // namespace onnx_lower

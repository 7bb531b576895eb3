// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A range of the model as a message of protobuf, and a message as a range.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <limits>
#include <string>

#include "model_file/wire.h"

namespace onnx_lower {

// Protobuf's own parsers take no message of 2 GiB or more, and count its bytes in an int: false for
// such a one, as for one that is broken.
inline bool parse_message(google::protobuf::MessageLite& message, Bytes bytes) {
  return bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Appends a message as a field of that number.
inline void append_field(std::string& out, uint32_t number, const google::protobuf::MessageLite& message) {
  const size_t size = message.ByteSizeLong();
  char* content = write_header(append_room(out, field_size(number, size)), number, size);
  message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(content));
}

}  // namespace onnx_lower

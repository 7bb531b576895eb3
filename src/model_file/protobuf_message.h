// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Parses ranges of the model into protobuf's messages, and appends messages to ranges.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <limits>
#include <string>

#include "model_file/wire.h"

namespace onnx_lower {

// False if the message is malformed, or has 2 GiB or more: protobuf's own parsers take no larger
// one, and count its bytes in an int.
inline bool parse_message(google::protobuf::MessageLite& message, Bytes bytes) {
  return bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Appends a message to `out` as a field of that number.
inline void append_field(std::string& out, uint32_t number, const google::protobuf::MessageLite& message) {
  const size_t size = message.ByteSizeLong();
  char* content = write_header(append_room(out, field_size(number, size)), number, size);
  message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(content));
}

}  // namespace onnx_lower

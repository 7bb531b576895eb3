// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The messages of onnx.proto, and what their fields hold.
#pragma once

#include <cstdint>

#include "model_file/wire.h"

namespace onnx_lower {

// Messages that look the same on the wire are one kind.
enum class MessageKind : uint8_t {
  model,
  training_info,
  graph,
  function,
  node,
  attribute,
  tensor,
  sparse_tensor,
  value_info,
  type,
  tensor_type,     // TypeProto.Tensor, TypeProto.SparseTensor
  container_type,  // TypeProto.Sequence, TypeProto.Optional
  map_type,
  shape,
  tensor_annotation,
  node_device_configuration,
  sharding_spec,
  int_int_list,
  sharded_dim,
  scalars,  // any message of which no field is a message or a list of numbers
};

// What a length-delimited field holds.
struct FieldContent {
  enum class Kind : uint8_t {
    text,  // or bytes; or the field is not known
    message,
    varints,  // packed numbers
    fixed32s,
    fixed64s,
  };
  Kind kind = Kind::text;
  MessageKind message = MessageKind::scalars;
};

FieldContent content_of(MessageKind kind, uint32_t field_number);

// Whether tensors may be in such a message.
bool leads_to_tensors(MessageKind kind);

// That protobuf's parsers take a message, with all that is in it. `depth`: how many messages it is
// in. Throws MalformedMessage.
void check_structure(Bytes message, MessageKind kind, int depth);

// The same of one field of such a message. It asks for no more of the field than this, so that a
// loop over fields keeps it in registers.
void check_structure(uint32_t tag, Bytes content, uint64_t value, MessageKind parent, int depth_of_parent);

inline void check_structure(const WireField& field, MessageKind parent, int depth_of_parent) {
  check_structure(field.tag, field.content, field.value, parent, depth_of_parent);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The kinds of messages in onnx.proto, and what their fields hold.
#pragma once

#include <cstdint>

#include "model_file/wire.h"

namespace onnx_lower {

// Messages whose fields have the same numbers and wire types are one kind.
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
  scalars,  // any message without fields that are messages or lists of numbers
};

// What a length-delimited field of a message holds.
struct FieldContent {
  enum class Kind : uint8_t {
    text,  // a string or bytes; also for a field that is not known
    message,
    varints,  // a packed list of varints
    fixed32s,
    fixed64s,
  };
  Kind kind = Kind::text;
  MessageKind message = MessageKind::scalars;
};

FieldContent content_of(MessageKind kind, uint32_t field_number);

// Checks that protobuf's parsers accept a message, with all that is in it. `depth` is how many
// messages it is nested in. Throws MalformedMessage.
void check_structure(Bytes message, MessageKind kind, int depth);

// Checks one field of such a message. The parameters are the parts of a field that are needed, and
// no WireField, so that a loop over fields keeps them in registers.
void check_structure(uint32_t tag, Bytes content, uint64_t value, MessageKind parent, int depth_of_parent);

inline void check_structure(const WireField& field, MessageKind parent, int depth_of_parent) {
  check_structure(field.tag, field.content, field.value, parent, depth_of_parent);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/attribute_head.h"

namespace onnx_lower {

using F = field::Attribute;
using onnx::AttributeProto;

AttributeHead read_attribute_head(Bytes attribute) {
  AttributeHead head;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(F::name):
        head.name = field.content;
        break;
      case varint_tag(F::type):
        // A number that is no type is, as for protobuf, no type.
        if (is_enumerator<onnx::AttributeProto_AttributeType_IsValid>(field.value))
          head.type = static_cast<int>(field.value);
        break;
      case delimited_tag(F::floats):
      case delimited_tag(F::ints):
        if (!field.content.empty()) head.values |= 1U << field.number;
        break;
      case wire_tag(F::f, WireType::fixed32):
      case wire_tag(F::floats, WireType::fixed32):
      case varint_tag(F::i):
      case varint_tag(F::ints):
      case delimited_tag(F::s):
      case delimited_tag(F::t):
      case delimited_tag(F::g):
      case delimited_tag(F::tp):
      case delimited_tag(F::sparse_tensor):
      case delimited_tag(F::strings):
      case delimited_tag(F::tensors):
      case delimited_tag(F::graphs):
      case delimited_tag(F::type_protos):
      case delimited_tag(F::sparse_tensors):
        head.values |= 1U << field.number;
        break;
      default:
        break;
    }
  }
  return head;
}

uint32_t value_field(int attribute_type) {
  switch (attribute_type) {
    case AttributeProto::FLOAT:
      return F::f;
    case AttributeProto::INT:
      return F::i;
    case AttributeProto::STRING:
      return F::s;
    case AttributeProto::TENSOR:
      return F::t;
    case AttributeProto::GRAPH:
      return F::g;
    case AttributeProto::TYPE_PROTO:
      return F::tp;
    case AttributeProto::SPARSE_TENSOR:
      return F::sparse_tensor;
    case AttributeProto::FLOATS:
      return F::floats;
    case AttributeProto::INTS:
      return F::ints;
    case AttributeProto::STRINGS:
      return F::strings;
    case AttributeProto::TENSORS:
      return F::tensors;
    case AttributeProto::GRAPHS:
      return F::graphs;
    case AttributeProto::TYPE_PROTOS:
      return F::type_protos;
    case AttributeProto::SPARSE_TENSORS:
      return F::sparse_tensors;
    default:
      return 0;
  }
}

}  // namespace onnx_lower

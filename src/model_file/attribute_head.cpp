// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/attribute_head.h"

#include <fmt/format.h>

namespace onnx_lower {

using onnx::AttributeProto;

AttributeHead read_attribute_head(Bytes attribute) {
  AttributeHead head;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::Attribute::name):
        head.name = field.content;
        break;
      case varint_tag(field::Attribute::type):
        // A number that is no type is, as for protobuf, no type.
        if (is_enumerator<onnx::AttributeProto_AttributeType_IsValid>(field.value))
          head.type = static_cast<int>(field.value);
        break;
      case delimited_tag(field::Attribute::floats):
      case delimited_tag(field::Attribute::ints):
        if (!field.content.empty()) head.values |= 1U << field.number;
        break;
      case wire_tag(field::Attribute::f, WireType::fixed32):
      case wire_tag(field::Attribute::floats, WireType::fixed32):
      case varint_tag(field::Attribute::i):
      case varint_tag(field::Attribute::ints):
      case delimited_tag(field::Attribute::s):
      case delimited_tag(field::Attribute::t):
      case delimited_tag(field::Attribute::g):
      case delimited_tag(field::Attribute::tp):
      case delimited_tag(field::Attribute::sparse_tensor):
      case delimited_tag(field::Attribute::strings):
      case delimited_tag(field::Attribute::tensors):
      case delimited_tag(field::Attribute::graphs):
      case delimited_tag(field::Attribute::type_protos):
      case delimited_tag(field::Attribute::sparse_tensors):
        head.values |= 1U << field.number;
        break;
      default:
        break;
    }
  }
  return head;
}

std::string attribute_type_text(int attribute_type) {
  using onnx::AttributeProto;
  return AttributeProto::AttributeType_IsValid(attribute_type)
             ? AttributeProto::AttributeType_Name(static_cast<AttributeProto::AttributeType>(attribute_type))
             : fmt::format("of the unknown type {}", attribute_type);
}

uint32_t value_field(int attribute_type) {
  switch (attribute_type) {
    case AttributeProto::FLOAT:
      return field::Attribute::f;
    case AttributeProto::INT:
      return field::Attribute::i;
    case AttributeProto::STRING:
      return field::Attribute::s;
    case AttributeProto::TENSOR:
      return field::Attribute::t;
    case AttributeProto::GRAPH:
      return field::Attribute::g;
    case AttributeProto::TYPE_PROTO:
      return field::Attribute::tp;
    case AttributeProto::SPARSE_TENSOR:
      return field::Attribute::sparse_tensor;
    case AttributeProto::FLOATS:
      return field::Attribute::floats;
    case AttributeProto::INTS:
      return field::Attribute::ints;
    case AttributeProto::STRINGS:
      return field::Attribute::strings;
    case AttributeProto::TENSORS:
      return field::Attribute::tensors;
    case AttributeProto::GRAPHS:
      return field::Attribute::graphs;
    case AttributeProto::TYPE_PROTOS:
      return field::Attribute::type_protos;
    case AttributeProto::SPARSE_TENSORS:
      return field::Attribute::sparse_tensors;
    default:
      return 0;
  }
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/attribute_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

struct ValueField {
  int type;
  uint32_t number;
  // How one value is written. A list of numbers can also be packed.
  WireType wire_type = WireType::length_delimited;
};

constexpr std::array<ValueField, 14> value_fields = {{
    {AttributeProto::FLOAT, field::Attribute::f, WireType::fixed32},
    {AttributeProto::INT, field::Attribute::i, WireType::varint},
    {AttributeProto::STRING, field::Attribute::s},
    {AttributeProto::TENSOR, field::Attribute::t},
    {AttributeProto::GRAPH, field::Attribute::g},
    {AttributeProto::TYPE_PROTO, field::Attribute::tp},
    {AttributeProto::SPARSE_TENSOR, field::Attribute::sparse_tensor},
    {AttributeProto::FLOATS, field::Attribute::floats, WireType::fixed32},
    {AttributeProto::INTS, field::Attribute::ints, WireType::varint},
    {AttributeProto::STRINGS, field::Attribute::strings},
    {AttributeProto::TENSORS, field::Attribute::tensors},
    {AttributeProto::GRAPHS, field::Attribute::graphs},
    {AttributeProto::TYPE_PROTOS, field::Attribute::type_protos},
    {AttributeProto::SPARSE_TENSORS, field::Attribute::sparse_tensors},
}};

bool holds_value(const WireField& field) {
  const auto* known = std::ranges::find(value_fields, field.number, &ValueField::number);
  if (known == value_fields.end()) return false;
  const bool is_packed =
      (field.number == field::Attribute::floats || field.number == field::Attribute::ints) && !field.content.empty();
  return field.type == known->wire_type || (field.type == WireType::length_delimited && is_packed);
}

}  // namespace

AttributeHead read_attribute_head(Bytes attribute) {
  AttributeHead head;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    if (field.tag == delimited_tag(field::Attribute::name)) {
      head.name = field.content;
    } else if (field.tag == varint_tag(field::Attribute::type)) {
      // A number that is not among the enumerators counts, as for protobuf, as no type.
      if (is_enumerator<onnx::AttributeProto_AttributeType_IsValid>(field.value))
        head.type = static_cast<int>(field.value);
    } else if (holds_value(field)) {
      head.values |= 1U << field.number;
    }
  }
  return head;
}

Bytes attribute_named(Bytes node, std::string_view name) {
  WireField field;
  for (WireReader reader(node); reader.next(field);) {
    if (field.tag == delimited_tag(field::Node::attribute) &&
        last_field(field.content, delimited_tag(field::Attribute::name)) == name)
      return field.content;
  }
  return {};
}

std::string attribute_type_text(int attribute_type) {
  return AttributeProto::AttributeType_IsValid(attribute_type)
             ? AttributeProto::AttributeType_Name(static_cast<AttributeProto::AttributeType>(attribute_type))
             : fmt::format("of the unknown type {}", attribute_type);
}

bool holds_a_message(int attribute_type) {
  return attribute_type == onnx::AttributeProto::TENSOR || attribute_type == onnx::AttributeProto::GRAPH ||
         attribute_type == onnx::AttributeProto::SPARSE_TENSOR || attribute_type == onnx::AttributeProto::TYPE_PROTO;
}

uint32_t value_field(int attribute_type) {
  const auto* known = std::ranges::find(value_fields, attribute_type, &ValueField::type);
  return known == value_fields.end() ? 0 : known->number;
}

}  // namespace onnx_lower

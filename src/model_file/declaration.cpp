// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/declaration.h"

#include <fmt/format.h>

#include <vector>

#include "model_file/message_kind.h"
#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// A TypeProto as protobuf's parsers read it: if it has several kinds of types, the last one counts,
// and several fields of one kind are merged.
struct Type {
  uint32_t kind = 0;         // the number of its field in TypeProto; 0: none
  int32_t element_type = 0;  // a tensor's; for a map, the type of the keys
  bool has_shape = false;
  std::vector<Type> inner;  // of a sequence, an optional, or a map's values: one type or none

  void read(Bytes wire, int depth);
  DeclaredType declared() const;
  int32_t wrong_element_type() const;

 private:
  void read_kind(const WireField& field, int depth);
};

void Type::read(Bytes wire, int depth) {
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::Type::tensor_type):
      case delimited_tag(field::Type::sparse_tensor_type):
      case delimited_tag(field::Type::sequence_type):
      case delimited_tag(field::Type::optional_type):
      case delimited_tag(field::Type::map_type):
      case delimited_tag(field::Type::opaque_type):
        if (kind != field.number) *this = {.kind = field.number, .inner = {}};
        read_kind(field, depth + 1);
        break;
      default:
        check_structure(field, MessageKind::type, depth);
        break;
    }
  }
}

// Reads a field of a TypeProto. `depth` is that of the field's content.
void Type::read_kind(const WireField& field, int depth) {
  const bool is_tensor = kind == field::Type::tensor_type || kind == field::Type::sparse_tensor_type;
  const MessageKind message = content_of(MessageKind::type, field.number).message;
  WireField part;
  for (WireReader reader(field.content); reader.next(part);) {
    const FieldContent content = content_of(message, part.number);
    if (part.type == WireType::length_delimited && content.message == MessageKind::type) {
      if (depth + 1 > deepest_message) fail_malformed("types are nested deeper than any reader of ONNX takes");
      if (inner.empty()) inner.emplace_back();
      inner.front().read(part.content, depth + 1);
      continue;
    }
    if (is_tensor && part.tag == varint_tag(field::Type::tensor_elem_type))
      element_type = static_cast<int32_t>(part.value);
    if (kind == field::Type::map_type && part.tag == varint_tag(field::Type::map_key_type))
      element_type = static_cast<int32_t>(part.value);
    has_shape |= is_tensor && part.tag == delimited_tag(field::Type::tensor_shape);
    check_structure(part, message, depth);
  }
}

bool is_type_of_keys(int32_t type) {
  switch (type) {
    case TensorProto::INT8:
    case TensorProto::INT16:
    case TensorProto::INT32:
    case TensorProto::INT64:
    case TensorProto::UINT8:
    case TensorProto::UINT16:
    case TensorProto::UINT32:
    case TensorProto::UINT64:
    case TensorProto::STRING:
      return true;
    default:
      return false;
  }
}

DeclaredType of_element_type(int32_t type) {
  if (type == TensorProto::UNDEFINED) return DeclaredType::undefined;
  return TensorProto::DataType_IsValid(type) ? DeclaredType::good : DeclaredType::wrong;
}

DeclaredType Type::declared() const {
  switch (kind) {
    case 0:
      return DeclaredType::none;
    case field::Type::tensor_type:
    case field::Type::sparse_tensor_type:
      return of_element_type(element_type);
    case field::Type::map_type:
      if (element_type != TensorProto::UNDEFINED && !is_type_of_keys(element_type)) return DeclaredType::wrong;
      if (element_type == TensorProto::UNDEFINED) return DeclaredType::undefined;
      [[fallthrough]];
    case field::Type::sequence_type:
    case field::Type::optional_type: {
      const DeclaredType type = inner.empty() ? DeclaredType::none : inner.front().declared();
      return type == DeclaredType::none ? DeclaredType::undefined : type;
    }
    default:
      return DeclaredType::good;
  }
}

// The first element type that makes a declared type wrong.
int32_t Type::wrong_element_type() const {
  const bool has_own = kind == field::Type::tensor_type || kind == field::Type::sparse_tensor_type ||
                       (kind == field::Type::map_type && !is_type_of_keys(element_type));
  return has_own || inner.empty() ? element_type : inner.front().wrong_element_type();
}

}  // namespace

Declaration read_declaration(Bytes value_info, int depth) {
  Declaration declaration;
  Type type;
  WireField field;
  for (WireReader reader(value_info); reader.next(field);) {
    switch (field.tag) {
      case delimited_tag(field::ValueInfo::name):
        declaration.name = field.content;
        break;
      case delimited_tag(field::ValueInfo::type):
        type.read(field.content, depth + 1);
        break;
      default:
        check_structure(field, MessageKind::value_info, depth);
        break;
    }
  }
  declaration.type = type.declared();
  declaration.has_shape = type.kind == field::Type::tensor_type ? type.has_shape : type.kind != 0;
  return declaration;
}

std::string fault_of_declared_type(Bytes value_info) {
  Type type;
  WireField field;
  for (WireReader reader(value_info); reader.next(field);) {
    if (field.tag == delimited_tag(field::ValueInfo::type)) type.read(field.content, 0);
  }
  const int32_t element_type = type.wrong_element_type();
  return TensorProto::DataType_IsValid(element_type)
             ? fmt::format("is a map with keys of the type {}",
                           TensorProto::DataType_Name(static_cast<TensorProto::DataType>(element_type)))
             : fmt::format("has the element type {}, which does not exist", element_type);
}

}  // namespace onnx_lower

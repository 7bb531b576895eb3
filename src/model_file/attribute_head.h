// What an attribute is, without its value.
#pragma once

#include <cstdint>
#include <string_view>

#include "model_file/onnx_fields.h"
#include "model_file/wire.h"

namespace onnx_lower {

struct AttributeHead {
  std::string_view name;
  int64_t type = onnx::AttributeProto::UNDEFINED;  // AttributeProto.AttributeType, or a number that is none
};

// Of an AttributeProto. Throws MalformedMessage.
inline AttributeHead read_attribute_head(Bytes attribute) {
  AttributeHead head;
  WireField field;
  for (WireReader reader(attribute); reader.next(field);) {
    if (field.number == field::Attribute::name) head.name = field.bytes("the name of an attribute");
    if (field.number == field::Attribute::type) head.type = field.integer("the type of an attribute");
  }
  return head;
}

}  // namespace onnx_lower

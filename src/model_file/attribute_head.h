// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What an attribute is, without its value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model_file/onnx_fields.h"
#include "model_file/wire.h"

namespace onnx_lower {

struct AttributeHead {
  std::string_view name;
  int type = onnx::AttributeProto::UNDEFINED;  // AttributeProto.AttributeType
  uint32_t values = 0;                         // bit N: it has a value in the field N
};

// Of an AttributeProto. Throws MalformedMessage.
AttributeHead read_attribute_head(Bytes attribute);

// The AttributeProto of that name of a NodeProto; nothing where it has none. Throws
// MalformedMessage.
Bytes attribute_named(Bytes node, std::string_view name);

// "INT", "TENSOR" …, as AttributeProto.AttributeType names them; "of the unknown type 99".
std::string attribute_type_text(int attribute_type);

// Whether the value of an attribute of that type is one message, which is never left out as a zero
// or an empty list is.
bool holds_a_message(int attribute_type);

// The field that has the value of an attribute of that type; 0 for UNDEFINED.
uint32_t value_field(int attribute_type);

}  // namespace onnx_lower

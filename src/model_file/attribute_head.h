// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The name and the type of an attribute, read without its value.
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
  uint32_t values = 0;                         // bit N: field N holds a value
};

// Reads the head of an AttributeProto. Throws MalformedMessage.
AttributeHead read_attribute_head(Bytes attribute);

// The AttributeProto of that name in a NodeProto; empty where the node has no such attribute.
// Throws MalformedMessage.
Bytes attribute_named(Bytes node, std::string_view name);

// The name of a type in AttributeProto.AttributeType ("INT", "TENSOR" …), or "of
// the unknown type 99".
std::string attribute_type_text(int attribute_type);

// Whether an attribute of that type has one message as its value. Such a value is always written,
// whereas a zero or an empty list may be left out.
bool holds_a_message(int attribute_type);

// The number of the AttributeProto field that holds the value of that type; 0 for UNDEFINED.
uint32_t value_field(int attribute_type);

}  // namespace onnx_lower

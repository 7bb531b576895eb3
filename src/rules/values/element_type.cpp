// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/values/element_type.h"

#include <string>

#include "onnx/defs/parser.h"

namespace onnx_lower {

using TypeNames = onnx::PrimitiveTypeNameMap;

std::optional<int> element_type_of(std::string_view name) {
  const int type = TypeNames::Lookup(std::string(name));
  return type == onnx::TensorProto::UNDEFINED ? std::nullopt : std::optional(type);
}

std::string_view element_type_name(int data_type) { return TypeNames::ToString(data_type); }

}  // namespace onnx_lower

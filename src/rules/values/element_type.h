// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Names of tensor element types, as rules and messages write them.
#pragma once

#include <optional>
#include <string_view>

namespace onnx_lower {

// TensorProto.DataType for "float", "int64" …; nothing when there is no such type.
std::optional<int> element_type_of(std::string_view name);

// The name of an element type: "float", "int64" …; "undefined" for one that has no name.
std::string_view element_type_name(int data_type);

}  // namespace onnx_lower

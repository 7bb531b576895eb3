// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The type that a graph declares for a value, read from the bytes of a ValueInfoProto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model_file/wire.h"

namespace onnx_lower {

enum class DeclaredType : uint8_t {
  good,
  none,       // no type is declared, or no more than a denotation
  undefined,  // a tensor whose element type is not declared
  // An element type that does not exist is part of the type, or something is missing that only
  // tensors of custom operators may lack.
  wrong,
};

struct Declaration {
  std::string_view name;
  DeclaredType type = DeclaredType::none;
  bool has_shape = false;  // also true for types that are no tensor
};

// `depth` is how many messages the ValueInfoProto is nested in. Throws MalformedMessage.
Declaration read_declaration(Bytes value_info, int depth);

// Why a declared type is DeclaredType::wrong, to be put behind "its type ".
std::string fault_of_declared_type(Bytes value_info);

}  // namespace onnx_lower

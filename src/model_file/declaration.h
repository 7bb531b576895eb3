// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a graph declares of a value: a ValueInfoProto, read on the wire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model_file/wire.h"

namespace onnx_lower {

enum class DeclaredType : uint8_t {
  good,
  none,       // says nothing, or no more than a denotation
  undefined,  // a tensor of which it does not say the element type
  // somewhere in it is an element type that does not exist, or something is missing that only
  // custom operators' tensors may lack
  wrong,
};

struct Declaration {
  std::string_view name;
  DeclaredType type = DeclaredType::none;
  bool has_shape = false;  // what is no tensor counts as having one
};

// `depth`: how many messages the ValueInfoProto is in. Throws MalformedMessage.
Declaration read_declaration(Bytes value_info, int depth);

// What makes a declared type DeclaredType::wrong, to be put behind "its type ".
std::string fault_of_declared_type(Bytes value_info);

}  // namespace onnx_lower

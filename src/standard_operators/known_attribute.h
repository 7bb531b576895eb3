// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Attributes of a function's body whose values are those of the call.
#pragma once

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// False for a mere reference to an attribute of a function. While a call is being attached (see legalizer/attachment.h), a reference
// has the value of that call beside it, and is known. A list that is empty there counts as unknown, which is always safe.
inline bool is_known(const onnx::AttributeProto& attribute) {
  if (attribute.ref_attr_name().empty()) return true;
  return attribute.has_f() || attribute.has_i() || attribute.has_s() || attribute.has_t() || attribute.has_g() ||
         attribute.floats_size() > 0 || attribute.ints_size() > 0 || attribute.strings_size() > 0;
}

}  // namespace onnx_lower

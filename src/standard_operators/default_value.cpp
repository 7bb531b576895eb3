// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/default_value.h"

#include <algorithm>

#include "standard_operators/node_attribute.h"

namespace onnx_lower {

onnx::AttributeProto default_value(const OperatorAttribute& attribute) {
  onnx::AttributeProto value;
  value.ParseFromArray(attribute.default_value.data(), static_cast<int>(attribute.default_value.size()));
  return value;
}

bool same_value(const onnx::AttributeProto& a, const onnx::AttributeProto& b) {
  if (a.type() != b.type() || is_open(a) || is_open(b)) return false;
  switch (a.type()) {
    case onnx::AttributeProto::INT:
      return a.i() == b.i();
    case onnx::AttributeProto::FLOAT:
      return a.f() == b.f();
    case onnx::AttributeProto::STRING:
      return a.s() == b.s();
    case onnx::AttributeProto::INTS:
      return std::ranges::equal(a.ints(), b.ints());
    case onnx::AttributeProto::FLOATS:
      return std::ranges::equal(a.floats(), b.floats());
    default:
      return false;
  }
}

bool says_default(const onnx::AttributeProto& given, const OperatorVersion& version) {
  const OperatorAttribute* declared = version.attribute(given.name());
  return declared != nullptr && !declared->default_value.empty() && same_value(given, default_value(*declared));
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds and checks attributes of a NodeProto.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Whether the attribute refers to an attribute of the function that holds the node (ref_attr_name),
// so that its value is known only when the function is called. While a call is being attached (see
// legalizer/attachment/attachment.h), a reference also has the value of that call, and is not open.
// A reference with an empty list counts as open then, which is always safe.
inline bool is_open(const onnx::AttributeProto& attribute) {
  return !attribute.ref_attr_name().empty() && !attribute.has_f() && !attribute.has_i() && !attribute.has_s() &&
         !attribute.has_t() && !attribute.has_g() && !attribute.has_sparse_tensor() && !attribute.has_tp() &&
         attribute.floats().empty() && attribute.ints().empty() && attribute.strings().empty() &&
         attribute.tensors().empty() && attribute.graphs().empty();
}

inline std::string open_attribute_reason(std::string_view name) {
  return fmt::format("attribute '{}' is whatever the function that it stands in is called with", name);
}

// The attribute that the node itself has under that name, or null. The pointer is valid as
// long as the node.
inline const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto found = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
  return found == node.attribute().end() ? nullptr : &*found;
}

inline bool holds_graph(const onnx::AttributeProto& attribute) {
  return attribute.has_g() || attribute.graphs_size() > 0;
}

}  // namespace onnx_lower

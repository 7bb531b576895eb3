// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Attributes of a node as messages.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Whether it refers to an attribute of the function that its node is in (ref_attr_name), and its
// value is whatever the function is called with. While a call is being attached (see
// legalizer/attachment/attachment.h), a reference has the value of that call beside it, and is not
// open. A list that is empty there counts as open, which is always safe.
inline bool is_open(const onnx::AttributeProto& attribute) {
  return !attribute.ref_attr_name().empty() && !attribute.has_f() && !attribute.has_i() && !attribute.has_s() &&
         !attribute.has_t() && !attribute.has_g() && !attribute.has_sparse_tensor() && !attribute.has_tp() &&
         attribute.floats().empty() && attribute.ints().empty() && attribute.strings().empty() &&
         attribute.tensors().empty() && attribute.graphs().empty();
}

inline std::string open_attribute_reason(std::string_view name) {
  return fmt::format("attribute '{}' is whatever the function that it stands in is called with", name);
}

// The attribute that the node itself has under that name, or null. It lives as long as the node.
inline const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto found = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
  return found == node.attribute().end() ? nullptr : &*found;
}

inline bool holds_graph(const onnx::AttributeProto& attribute) {
  return attribute.has_g() || attribute.graphs_size() > 0;
}

}  // namespace onnx_lower

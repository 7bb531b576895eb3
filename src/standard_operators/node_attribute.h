// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string_view>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The attribute that the node itself has under that name, or null. It lives as long as the node.
inline const onnx::AttributeProto* find_attribute(const onnx::NodeProto& node, std::string_view name) {
  const auto found = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
  return found == node.attribute().end() ? nullptr : &*found;
}

inline bool holds_graph(const onnx::AttributeProto& attribute) {
  return attribute.has_g() || attribute.graphs_size() > 0;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/nodes/node_body.h"

#include <cstddef>

#include "model_file/attribute_head.h"
#include "model_file/onnx_fields.h"

namespace onnx_lower {

const Graph* body_of(const Node& node, std::string_view attribute_name) {
  if (!node.bodies) return nullptr;
  size_t next = 0;
  WireField field;
  for (WireReader reader(node.wire); reader.next(field);) {
    if (field.tag != delimited_tag(field::Node::attribute)) continue;
    const AttributeHead attribute = read_attribute_head(field.content);
    // A list of graphs has several bodies, so that counting attributes no longer finds the
    // body of one.
    if ((attribute.values >> field::Attribute::graphs & 1) != 0) return nullptr;
    if ((attribute.values >> field::Attribute::g & 1) == 0) continue;
    if (attribute.name == attribute_name) return &node.bodies->graphs[next];
    ++next;
  }
  return nullptr;
}

}  // namespace onnx_lower

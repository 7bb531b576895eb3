// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/nodes/node_message.h"

#include <fmt/format.h>

#include <string>

#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/read_model.h"

namespace onnx_lower {

std::string_view display_name(const Model& model, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs()) {
    if (output != absent_value) return model.value_name(output);
  }
  return "(without name)";
}

void read_node_message(Model& model, const Node& node, onnx::NodeProto& message) {
  const bool stale = node.bodies && node.bodies->changed;
  const std::string encoded = stale ? encode_node(model, node) : std::string();
  const Bytes bytes = stale ? Bytes(encoded) : node.wire;
  if (!parse_message(message, bytes)) {
    throw InvalidInput(
        fmt::format("{}: node '{}' cannot be read: it is broken, larger than 2 GiB, or its subgraphs are nested deeper "
                    "than protobuf takes",
                    model.input().path(), node.name));
  }
}

onnx::NodeProto node_message(Model& model, const Node& node) {
  onnx::NodeProto message;
  read_node_message(model, node, message);
  return message;
}

const Node& keep_node(Model& model, const onnx::NodeProto& message, OpsetContext opsets,
                      std::optional<OpsetContext> opsets_inside) {
  const Bytes wire = model.keep_field(field::Graph::node, message.SerializeAsString());
  Node node = read_node(model, wire, header_size(field::Graph::node, wire.size()), opsets_inside.value_or(opsets));
  node.opsets = opsets;
  return *model.keep(node);
}

void drop_trailing_absent(google::protobuf::RepeatedPtrField<std::string>& values, int least) {
  while (values.size() > least && values.rbegin()->empty()) values.RemoveLast();
}

}  // namespace onnx_lower

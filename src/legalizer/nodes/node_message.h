// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes as protobuf messages, and what they are called in messages to the user.
#pragma once

#include <optional>
#include <string_view>

#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// What a node is called in messages: its name, or its first output where it has none. Lasts as long
// as the model.
std::string_view display_name(const Model& model, const Node& node);

// The node as a message. Throws InvalidInput when protobuf does not read it (subgraphs nested too
// deep).
onnx::NodeProto node_message(Model& model, const Node& node);
// The same into a message whose memory is used again.
void read_node_message(Model& model, const Node& node, onnx::NodeProto& message);
// A node of the model that says what the message says. `opsets_inside`: where its subgraphs are
// still written for other versions than the node itself.
const Node& keep_node(Model& model, const onnx::NodeProto& message, OpsetContext opsets,
                      std::optional<OpsetContext> opsets_inside = {});

// Exporters write arguments that are None as empty names, also at the end, where a rule need not
// have a formal input for them, and an older version of an operator may have none. Those that are
// behind the first `least` go.
void drop_trailing_absent(google::protobuf::RepeatedPtrField<std::string>& values, int least = 0);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Nodes as protobuf messages, and the names that messages to the user have for them.
#pragma once

#include <optional>
#include <string_view>

#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The name of a node in messages to the user: its own, or that of its first output where it has
// none. Valid as long as the model.
std::string_view display_name(const Model& model, const Node& node);

// The node as a protobuf message. Throws InvalidInput when protobuf does not read it (subgraphs
// nested too deep).
onnx::NodeProto node_message(Model& model, const Node& node);
// Reads the node into a message whose memory is used again.
void read_node_message(Model& model, const Node& node, onnx::NodeProto& message);
// Adds a node to the model that says what the message says. `opsets` are those for which it is
// written; `opsets_inside`: for which its subgraphs are written, where these are others.
const Node& keep_node(Model& model, const onnx::NodeProto& message, OpsetContext opsets,
                      std::optional<OpsetContext> opsets_inside = {});

// Removes empty names at the end, all behind the first `least`. Exporters write arguments that are
// None as empty names, also at the end, where a rule need not have a formal input for them, and an
// older version of an operator may have none.
void drop_trailing_absent(google::protobuf::RepeatedPtrField<std::string>& values, int least = 0);

}  // namespace onnx_lower

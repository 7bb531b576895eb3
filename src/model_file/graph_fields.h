// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Edits those fields of a graph that are kept as bytes: declarations and initializers.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "google/protobuf/message_lite.h"
#include "model_file/model.h"
#include "model_file/wire.h"

namespace onnx_lower {

// The message as a field with tag and length, in memory of the model.
Bytes kept_field(Model& model, uint32_t number, const google::protobuf::MessageLite& message);

// `replacement` is called for each field of the graph except its nodes, and returns what the field
// becomes: the field's `whole` to keep it, other whole fields in memory of the model, or nothing.
// Fields that are kept side by side stay one range.
void replace_fields(Graph& graph, const std::function<Bytes(const WireField&)>& replacement);
// Replaces the fields whose contents begin at these addresses.
void replace_fields(Graph& graph, const std::unordered_map<const char*, Bytes>& replacements);

// Drops the initializers for which `goes` is true, and the value_infos of these and of values for
// which `is_gone` is true.
void drop_initializers(Graph& graph, const std::function<bool(const TensorSkeleton&)>& goes,
                       const std::function<bool(ValueId)>& is_gone);

}  // namespace onnx_lower

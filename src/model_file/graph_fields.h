// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Edits fields of a graph that stay as they were read: declarations, initializers.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "google/protobuf/message_lite.h"
#include "model_file/model.h"
#include "model_file/wire.h"

namespace onnx_lower {

// The message as a whole field, which the model keeps.
Bytes kept_field(Model& model, uint32_t number, const google::protobuf::MessageLite& message);

// `replacement` is asked for each field of the graph but its nodes, and gives what stands there
// from now on: the field's `whole`, other whole fields that the model keeps, or nothing. What stays
// stays one range.
void replace_fields(Graph& graph, const std::function<Bytes(const WireField&)>& replacement);
// The same where the replacements are known, by where the contents of the fields begin in memory.
void replace_fields(Graph& graph, const std::unordered_map<const char*, Bytes>& replacements);

// Drops the initializers that go, and the value_infos of these and of the values that are gone.
void drop_initializers(Graph& graph, const std::function<bool(const TensorSkeleton&)>& goes,
                       const std::function<bool(ValueId)>& is_gone);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/graph_fields.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "model_file/protobuf_message.h"

namespace onnx_lower {

Bytes kept_field(Model& model, uint32_t number, const google::protobuf::MessageLite& message) {
  std::string bytes;
  append_field(bytes, number, message);
  return model.keep(bytes);
}

void replace_fields(Graph& graph, const std::function<Bytes(const WireField&)>& replacement) {
  GraphPieces pieces(graph.pieces.get_allocator());
  const auto keep = [&](Bytes bytes) {
    if (!bytes.empty()) pieces.push_back({GraphPiece::Kind::verbatim, bytes, {}});
  };
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind != GraphPiece::Kind::verbatim) {
      WireField field;
      if (WireReader(piece.bytes).next(field)) piece.bytes = replacement(field);
      pieces.push_back(std::move(piece));
      continue;
    }
    const char* begin = piece.bytes.data();
    const char* const end = begin + piece.bytes.size();
    WireField field;
    for (WireReader reader(piece.bytes); reader.next(field);) {
      const Bytes bytes = replacement(field);
      if (bytes.data() == field.whole.data()) continue;
      keep(Bytes(begin, static_cast<size_t>(field.whole.data() - begin)));
      keep(bytes);
      begin = field.whole.data() + field.whole.size();
    }
    keep(Bytes(begin, static_cast<size_t>(end - begin)));
  }
  graph.pieces = std::move(pieces);
  graph.changed = true;
}

void replace_fields(Graph& graph, const std::unordered_map<const char*, Bytes>& replacements) {
  replace_fields(graph, [&](const WireField& field) {
    const auto found = replacements.find(field.content.data());
    return found == replacements.end() ? field.whole : found->second;
  });
}

void drop_initializers(Graph& graph, const std::function<bool(const TensorSkeleton&)>& goes,
                       const std::function<bool(ValueId)>& is_gone) {
  std::unordered_map<const char*, Bytes> dropped;
  std::unordered_set<ValueId> values;  // of the dropped initializers
  std::erase_if(graph.initializers, [&](const TensorSkeleton& initializer) {
    if (!goes(initializer)) return false;
    dropped.emplace(initializer.wire.data(), Bytes());
    values.insert(initializer.value);
    return true;
  });
  std::erase_if(graph.value_infos, [&](const ValueInfo& info) {
    if (!values.contains(info.value) && !is_gone(info.value)) return false;
    dropped.emplace(info.wire.data(), Bytes());
    return true;
  });
  if (!dropped.empty()) replace_fields(graph, dropped);
}

}  // namespace onnx_lower

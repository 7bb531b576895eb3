// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The body of a Loop or a Scan may hand out what it takes in: a state that does not change, or the
// number of the iteration. Some runtimes compute that wrongly, and compute a copy of it rightly.

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "legalizer/body/body_instance.h"
#include "legalizer/nodes/node_message.h"
#include "legalizer/placement/graph_legalizer.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "rules/body.h"
#include "targets/target_library.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

bool GraphLegalizer::place_copies_of_inputs(Graph& graph, GraphScope& scope, const Node& holder, bool is_one_piece) {
  const OperatorRole role = scope.holder_role();
  if (role != OperatorRole::loop && role != OperatorRole::scan) return false;
  if (first_with(all_.options.targets, &TargetFile::needs_made_outputs) == nullptr) return false;
  const size_t before = scope.placed().size();
  std::unordered_set<ValueId> inputs;
  for (const ValueInfo& input : graph.inputs) inputs.insert(input.value);
  // The new declaration of an output, by the address of the one that it replaces.
  std::unordered_map<const char*, Bytes> fields;
  for (ValueInfo& output : graph.outputs) {
    if (!inputs.contains(output.value)) continue;
    onnx::ValueInfoProto info;
    // Loop takes sequences from opset 13 on, and Identity from opset 14 on.
    if (!parse_message(info, output.wire) || is_container(info.type())) continue;
    const ValueId copy = all_.names.make(name_prefix(all_.model, holder), info.name());
    const std::string name(all_.model.value_name(copy));
    scope.nodes().place(keep_node(all_.model, node_of("Identity", {info.name()}, {name}), holder.opsets));
    info.set_name(name);
    const Bytes field = kept_field(all_.model, field::Graph::output, info);
    fields.emplace(output.wire.data(), field);
    output.value = copy;
    output.wire = content_of(field);
  }
  if (fields.empty()) return false;
  replace_fields(graph, fields);
  if (is_one_piece) return true;
  const auto copies = scope.placed().begin() + static_cast<std::ptrdiff_t>(before);
  graph.pieces.push_back({GraphPiece::Kind::nodes, {}, {copies, scope.placed().end()}});
  return false;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/legality/open_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model_file/protobuf_message.h"

namespace onnx_lower {
namespace {

// Empty where the declaration leaves nothing open.
std::string open_shape(const ValueInfo& declaration) {
  onnx::ValueInfoProto info;
  if (!parse_message(info, declaration.wire) || !info.type().has_tensor_type()) return {};
  if (!info.type().tensor_type().has_shape()) return fmt::format("{}:…", info.name());
  std::vector<std::string> dims;
  bool is_open = false;
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    is_open |= !dim.has_dim_value();
    dims.push_back(dim.has_dim_value()       ? fmt::format("{}", dim.dim_value())
                   : dim.dim_param().empty() ? "?"
                                             : dim.dim_param());
  }
  return is_open ? fmt::format("{}:{}", info.name(), fmt::join(dims, ",")) : std::string();
}

}  // namespace

std::vector<std::string> open_inputs(const Node& node, const GraphScope& scope) {
  std::unordered_set<ValueId> seen;
  std::unordered_set<ValueId> inputs;  // of the main graph
  std::vector<std::pair<ValueId, const GraphScope*>> left;
  const auto reach = [&](ValueId value, const GraphScope* from) {
    const GraphScope* of = value == absent_value ? nullptr : defining_scope(from, value);
    if (of != nullptr && seen.insert(value).second) left.emplace_back(value, of);
  };
  for_each_used(node, [&](ValueId value) { reach(value, &scope); });
  while (!left.empty()) {
    const auto [value, of] = left.back();
    left.pop_back();
    if (of->constant_type(value) != nullptr) continue;
    if (const Node* maker = of->maker(value)) {
      for_each_used(*maker, [&, at = of](ValueId used) { reach(used, at); });
    } else if (const NodeView made = of->producer(value)) {
      for (const ValueId used : made.inputs) reach(used, of);
    } else if (of->enclosing() == nullptr) {
      inputs.insert(value);
    } else {
      // What a Loop or a Scan hands to its graph.
      for (const ValueId used : of->holder_node()->inputs()) reach(used, of->enclosing());
    }
  }
  std::vector<std::string> open;
  for (const ValueInfo& declaration : scope.sources().model.graph.inputs) {
    if (!inputs.contains(declaration.value)) continue;
    if (std::string shape = open_shape(declaration); !shape.empty()) open.push_back(std::move(shape));
  }
  return open;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/model.h"

#include <algorithm>
#include <cstring>

namespace onnx_lower {

size_t Graph::node_count() const {
  size_t count = 0;
  for (const GraphPiece& piece : pieces) {
    count += piece.nodes.size();
    if (!has_bodies && !changed) continue;
    for (const Node* node : piece.nodes) {
      if (node->is_run()) count += node->run_length - size_t{1};
      for (const Graph& body : node->graphs()) count += body.node_count();
    }
  }
  return count;
}

Model::Model(InputFile input) : input_(std::move(input)), operator_slots_(64, UINT32_MAX) {}

void Model::leave_tensor(Bytes wire) const {
  constexpr size_t large = size_t{1} << 20;
  if (wire.size() >= large) input_.unmap_pages(wire);
}

bool Model::changed() const {
  return graph.changed || opset_imports_changed || ir_version_changed ||
         std::any_of(functions.begin(), functions.end(), [](const Function& function) {
           return function.dropped || function.added || function.body.changed;
         });
}

int64_t version_of(std::span<const OpsetImport> imports, std::string_view domain) {
  const auto found = std::find_if(imports.rbegin(), imports.rend(),
                                  [&](const OpsetImport& import) { return import.domain() == domain; });
  return found == imports.rend() ? 0 : found->version();
}

size_t Model::node_count() const {
  size_t count = graph.node_count();
  for (const Function& function : functions) {
    if (!function.dropped) count += function.body.node_count();
  }
  return count;
}

OperatorId Model::intern_operator(const Operator& op) {
  const Operator key{normalized_domain(op.domain), op.op_type, op.overload};
  const size_t mask = operator_slots_.size() - 1;
  size_t slot = hash_of(key) & mask;
  for (; operator_slots_[slot] != UINT32_MAX; slot = (slot + 1) & mask) {
    if (operators_[operator_slots_[slot]] == key) return operator_slots_[slot];
  }
  return add_operator(key, slot);
}

OperatorId Model::add_operator(const Operator& key, size_t slot) {
  const auto id = static_cast<OperatorId>(operators_.size());
  operators_.push_back({keep(key.domain), keep(key.op_type), keep(key.overload)});
  operator_slots_[slot] = id;
  if (operators_.size() * 2 > operator_slots_.size()) {
    operator_slots_.assign(operator_slots_.size() * 4, UINT32_MAX);
    const size_t mask = operator_slots_.size() - 1;
    for (OperatorId other = 0; other < operators_.size(); ++other) {
      slot = hash_of(operators_[other]) & mask;
      while (operator_slots_[slot] != UINT32_MAX) slot = (slot + 1) & mask;
      operator_slots_[slot] = other;
    }
  }
  return id;
}

Bodies* Model::new_bodies() {
  bodies_.push_back(std::make_unique<Bodies>());
  bodies_.back()->graphs = decltype(Bodies::graphs)(ArenaAllocator<Graph>(graph_memory()));
  bodies_.back()->graphs.reserve(2);  // as many as an If has
  return bodies_.back().get();
}

}  // namespace onnx_lower

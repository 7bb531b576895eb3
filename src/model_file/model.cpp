#include "model_file/model.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace onnx_lower {
namespace {

size_t hash_of(const Operator& op) {
  const std::hash<std::string_view> hash;
  return hash(op.op_type) ^ (hash(op.domain) * 31) ^ (op.overload.empty() ? 0 : hash(op.overload) * 131);
}

bool same(const Operator& a, const Operator& b) {
  return a.op_type == b.op_type && a.domain == b.domain && a.overload == b.overload;
}

}  // namespace

size_t Graph::node_count() const {
  size_t count = 0;
  for (const GraphPiece& piece : pieces) {
    count += piece.nodes.size();
    for (const Node& node : piece.nodes) {
      if (!node.bodies) continue;
      for (const Graph& body : node.bodies->graphs) count += body.node_count();
    }
  }
  return count;
}

Model::Model(InputFile input)
    : input_(std::move(input)), arena_(std::make_unique<std::pmr::monotonic_buffer_resource>(size_t{1} << 16)) {
  operator_slots_.assign(64, UINT32_MAX);
}

bool Model::changed() const {
  return graph.changed || opset_imports_changed ||
         std::any_of(functions.begin(), functions.end(),
                     [](const Function& function) { return function.dropped || function.body.changed; });
}

int64_t Model::opset(std::string_view domain) const {
  const auto found = std::find_if(opset_imports.rbegin(), opset_imports.rend(),
                                  [&](const OpsetImport& import) { return import.domain == domain; });
  return found == opset_imports.rend() ? 0 : found->version;
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
  size_t mask = operator_slots_.size() - 1;
  size_t slot = hash_of(key) & mask;
  for (; operator_slots_[slot] != UINT32_MAX; slot = (slot + 1) & mask) {
    if (same(operators_[operator_slots_[slot]], key)) return operator_slots_[slot];
  }
  const auto id = static_cast<OperatorId>(operators_.size());
  operators_.push_back(key);
  operator_slots_[slot] = id;
  if (operators_.size() * 2 > operator_slots_.size()) {
    operator_slots_.assign(operator_slots_.size() * 4, UINT32_MAX);
    mask = operator_slots_.size() - 1;
    for (OperatorId other = 0; other < operators_.size(); ++other) {
      slot = hash_of(operators_[other]) & mask;
      while (operator_slots_[slot] != UINT32_MAX) slot = (slot + 1) & mask;
      operator_slots_[slot] = other;
    }
  }
  return id;
}

Bytes Model::keep(Bytes bytes) {
  if (bytes.empty()) return {};
  auto* memory = static_cast<char*>(arena_->allocate(bytes.size(), 1));
  std::memcpy(memory, bytes.data(), bytes.size());
  return {memory, bytes.size()};
}

std::span<ValueId> Model::new_ids(size_t count) {
  if (count == 0) return {};
  auto* memory = static_cast<ValueId*>(arena_->allocate(count * sizeof(ValueId), alignof(ValueId)));
  return {memory, count};
}

}  // namespace onnx_lower

#include "model_file/model.h"

#include <algorithm>
#include <cstring>

namespace onnx_lower {
namespace {

// Few operators are in a model, and each of its nodes is looked up: a better hash would take longer than all the rest.
uint64_t quick_hash(const Operator& op) {
  const std::string_view name = op.op_type;
  uint64_t hash = name.size() + op.domain.size() * 64 + op.overload.size() * 4096;
  if (!name.empty()) {
    const auto byte = [&](size_t index) { return static_cast<uint64_t>(static_cast<uint8_t>(name[index])); };
    hash ^= byte(0) << 8 | byte(name.size() / 2) << 16 | byte(name.size() - 1) << 24;
  }
  return hash;
}

// Where there are more operators than that, many may look alike to the quick hash.
constexpr size_t most_quickly_hashed = 256;

size_t operator_hash(const Operator& op, bool are_many) {
  constexpr uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  if (!are_many) [[likely]]
    return quick_hash(op) * golden >> 40;
  return ((hash_of(op.op_type) * golden + hash_of(op.domain)) * golden + hash_of(op.overload)) * golden >> 32;
}

bool same(const Operator& a, const Operator& b) {
  return a.op_type == b.op_type && a.domain == b.domain && a.overload == b.overload;
}

}  // namespace

size_t Graph::node_count() const {
  size_t count = 0;
  for (const GraphPiece& piece : pieces) {
    count += piece.nodes.size();
    if (!has_bodies) continue;
    for (const Node* node : piece.nodes) {
      if (!node->bodies) continue;
      for (const Graph& body : node->bodies->graphs) count += body.node_count();
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
  const size_t mask = operator_slots_.size() - 1;
  size_t slot = operator_hash(key, operators_are_many_) & mask;
  for (; operator_slots_[slot] != UINT32_MAX; slot = (slot + 1) & mask) {
    if (same(operators_[operator_slots_[slot]], key)) return operator_slots_[slot];
  }
  return add_operator(key, slot);
}

OperatorId Model::add_operator(const Operator& key, size_t slot) {
  const auto id = static_cast<OperatorId>(operators_.size());
  operators_.push_back(key);
  operator_slots_[slot] = id;
  const bool is_crowded = operators_.size() * 2 > operator_slots_.size();
  if (is_crowded || id == most_quickly_hashed) {
    operators_are_many_ = id >= most_quickly_hashed;
    operator_slots_.assign(operator_slots_.size() * (is_crowded ? 4 : 1), UINT32_MAX);
    const size_t mask = operator_slots_.size() - 1;
    for (OperatorId other = 0; other < operators_.size(); ++other) {
      slot = operator_hash(operators_[other], operators_are_many_) & mask;
      while (operator_slots_[slot] != UINT32_MAX) slot = (slot + 1) & mask;
      operator_slots_[slot] = other;
    }
  }
  return id;
}

Bytes Model::keep_field(uint32_t number, Bytes content) {
  char* memory = fields_.allocate(header_size(number, content.size()) + content.size());
  char* kept = write_varint(write_varint(memory, wire_tag(number, WireType::length_delimited)), content.size());
  std::memcpy(kept, content.data(), content.size());
  return {kept, content.size()};
}

Bodies* Model::new_bodies() {
  bodies_.push_back(std::make_unique<Bodies>());
  return bodies_.back().get();
}

}  // namespace onnx_lower

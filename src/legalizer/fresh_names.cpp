#include "legalizer/fresh_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace onnx_lower {

// Values have their names in the model's interner. Nodes' names are noted when the first new name is made: ONNX Runtime refuses two nodes of one name,
// and a new value's name is its node's name too.
void FreshNames::take_node_names(const Graph& graph) {
  for (const GraphPiece& piece : graph.pieces) {
    node_names_.expect(node_names_.size() + piece.nodes.size());
    for (const Node* node : piece.nodes) {
      node_names_.insert(hash_of(node->name));
      if (!node->bodies) continue;
      for (const Graph& body : node->bodies->graphs) take_node_names(body);
    }
  }
}

bool FreshNames::take(std::string_view name, ValueId& id) {
  const uint64_t hash = hash_of(name);
  const size_t known = model_.values().size();
  id = model_.values().intern_with(name, hash, [this](std::string_view made) { return model_.keep(made); });
  if (id < known) return !free_again_.empty() && free_again_.erase(id) != 0;
  return !node_names_.contains(hash);
}

ValueId FreshNames::make(std::string_view prefix, std::string_view name) {
  if (!node_names_taken_) {
    node_names_taken_ = true;
    take_node_names(model_.graph);
  }
  // Three calls of append take longer than all else here.
  buffer_.resize(prefix.size() + 1 + name.size());
  char* out = std::copy(prefix.begin(), prefix.end(), buffer_.data());
  *out++ = '/';
  std::copy(name.begin(), name.end(), out);
  ValueId stem = absent_value;
  if (take(buffer_, stem)) {
    made_.push_back({.name = stem, .stem = absent_value, .suffix = 0});
    return stem;
  }
  uint32_t& suffix = next_suffix_.try_emplace(stem, 2).first->second;
  const size_t length = buffer_.size();
  for (;; ++suffix) {
    buffer_.resize(length);
    fmt::format_to(std::back_inserter(buffer_), "_{}", suffix);
    ValueId id = absent_value;
    if (!take(buffer_, id)) continue;
    made_.push_back({.name = id, .stem = stem, .suffix = suffix++});
    return id;
  }
}

void FreshNames::give_back(size_t mark) {
  for (; made_.size() > mark; made_.pop_back()) {
    const Made& last = made_.back();
    free_again_.insert(last.name);
    if (last.stem != absent_value) next_suffix_[last.stem] = last.suffix;
  }
}

}  // namespace onnx_lower

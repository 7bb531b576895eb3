// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/nodes/fresh_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace onnx_lower {

// Whether a node of the model has the name: ONNX Runtime refuses two nodes of one name, and a made
// node has the name of a made value. The names of values are in the model's interner; those of
// nodes are only collected when a new name ends as one of them does.
bool FreshNames::names_a_node(std::string_view name, uint64_t hash) {
  if (!model_.may_name_a_node(name)) return false;
  if (!node_names_) {
    node_names_.emplace();
    for_each_node(model_.graph, [this](const Node& node) { node_names_->insert(hash_of(node.name)); });
  }
  return node_names_->contains(hash);
}

bool FreshNames::take(ValueId& id) {
  const bool is_node_name = names_a_node(buffer_, hash_);
  const size_t known = model_.values().size();
  const auto keep = [this](std::string_view made) { return model_.made().copy(made); };
  const auto [made, is_in_run] = model_.values().intern_made(buffer_, hash_, keep);
  id = made;
  if (id < known) return !free_again_.empty() && free_again_.erase(id) != 0;
  return !is_node_name && !is_in_run;
}

void FreshNames::write_into_buffer(std::string_view prefix, std::string_view name) {
  const std::string_view known = buffer_;
  if (known.size() == prefix.size() + 1 + name.size() && known[prefix.size()] == '/' && known.ends_with(name) &&
      known.starts_with(prefix))
    return;
  // Not by append(): three calls of it take longer than all else here.
  if (buffer_.size() != prefix.size() + 1 + name.size()) buffer_.resize(prefix.size() + 1 + name.size());
  char* out = std::copy(prefix.begin(), prefix.end(), buffer_.data());
  *out++ = '/';
  std::copy(name.begin(), name.end(), out);
  hash_ = hash_of(buffer_);
}

void FreshNames::prefetch(std::string_view prefix, std::string_view name) {
  write_into_buffer(prefix, name);
  model_.values().prefetch(hash_);
}

ValueId FreshNames::make(std::string_view prefix, std::string_view name) {
  write_into_buffer(prefix, name);
  ValueId stem = absent_value;
  if (take(stem)) {
    made_.push_back({.name = stem, .stem = absent_value, .suffix = 0, .hash = hash_});
    return stem;
  }
  uint32_t& suffix = next_suffix_.try_emplace(stem, 2).first->second;
  const size_t length = buffer_.size();
  for (;; ++suffix) {
    buffer_.resize(length);
    fmt::format_to(std::back_inserter(buffer_), "_{}", suffix);
    hash_ = hash_of(buffer_);
    ValueId id = absent_value;
    if (!take(id)) continue;
    made_.push_back({.name = id, .stem = stem, .suffix = suffix++, .hash = hash_});
    return id;
  }
}

bool FreshNames::made_all_since(Mark mark) const {
  size_t made = 0;
  for (size_t index = mark.made; index < made_.size(); ++index) made += made_[index].name >= mark.values ? 1 : 0;
  const size_t values = model_.values().size();
  if (mark.values + made == values) return true;
  for (size_t value = mark.values; value < values; ++value)
    made += free_again_.contains(static_cast<ValueId>(value)) ? 1 : 0;
  return mark.values + made == values;
}

void FreshNames::put_into_run(Mark mark) {
  Interner& values = model_.values();
  while (values.size() > mark.values) {
    const auto newest = static_cast<ValueId>(values.size() - 1);
    if (!next_suffix_.empty()) next_suffix_.erase(newest);
    if (!made_.empty() && made_.back().name == newest) {  // it is, where no trial failed
      values.forget_newest(made_.back().hash, true);
      made_.pop_back();
    } else {
      values.forget_newest(hash_of(values[newest]), free_again_.erase(newest) == 0);
    }
  }
}

void FreshNames::give_back(Mark mark) {
  for (; made_.size() > mark.made; made_.pop_back()) {
    const Made& last = made_.back();
    free_again_.insert(last.name);
    if (last.stem != absent_value) next_suffix_[last.stem] = last.suffix;
  }
}

}  // namespace onnx_lower

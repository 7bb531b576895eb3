#include "legalizer/fresh_names.h"

#include <fmt/format.h>

#include <iterator>

namespace onnx_lower {

bool FreshNames::take(std::string_view name, ValueId& id) {
  if (const std::optional<ValueId> known = model_.values().find(name)) {
    id = *known;
    if (free_again_.erase(id) == 0) return false;
  } else {
    id = model_.values().intern(model_.keep(name));
  }
  made_.push_back(id);
  return true;
}

ValueId FreshNames::make(std::string_view prefix, std::string_view name) {
  buffer_.assign(prefix).append("/").append(name);
  ValueId id = absent_value;
  if (take(buffer_, id)) return id;
  uint32_t& suffix = next_suffix_.try_emplace(id, 2).first->second;
  const size_t stem = buffer_.size();
  for (;; ++suffix) {
    buffer_.resize(stem);
    fmt::format_to(std::back_inserter(buffer_), "_{}", suffix);
    if (take(buffer_, id)) return id;
  }
}

void FreshNames::give_back(size_t mark) {
  for (; made_.size() > mark; made_.pop_back()) free_again_.insert(made_.back());
  next_suffix_.clear();
}

}  // namespace onnx_lower

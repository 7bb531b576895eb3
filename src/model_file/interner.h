// Numbers for strings: each distinct string gets the next number, starting with 0 for the empty one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace onnx_lower {

// Open addressing over indices, since a model has hundreds of thousands of names and each occurrence is looked up once.
// The strings are not copied: they must live as long as the interner.
template <typename String>
class Interner {
 public:
  Interner() : slots_(1024, empty) { intern(String()); }

  uint32_t intern(String string) {
    const size_t slot = find_slot(string);
    if (slots_[slot] != empty) return slots_[slot];
    return insert(slot, string);
  }

  std::optional<uint32_t> find(String string) const {
    const uint32_t found = slots_[find_slot(string)];
    if (found == empty) return std::nullopt;
    return found;
  }

  String operator[](uint32_t id) const { return strings_[id]; }
  size_t size() const { return strings_.size(); }

 private:
  static constexpr uint32_t empty = UINT32_MAX;

  size_t find_slot(String string) const {
    const size_t mask = slots_.size() - 1;
    for (size_t slot = std::hash<String>()(string) & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == empty || strings_[slots_[slot]] == string) return slot;
    }
  }

  uint32_t insert(size_t slot, String string) {
    const auto id = static_cast<uint32_t>(strings_.size());
    strings_.push_back(string);
    slots_[slot] = id;
    if (strings_.size() * 2 > slots_.size()) grow();
    return id;
  }

  void grow() {
    std::vector<uint32_t> old(slots_.size() * 4, empty);
    old.swap(slots_);
    for (const uint32_t id : old) {
      if (id != empty) slots_[find_slot(strings_[id])] = id;
    }
  }

  std::vector<String> strings_;
  std::vector<uint32_t> slots_;
};

}  // namespace onnx_lower

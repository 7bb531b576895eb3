// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A set of 64-bit hashes of names. Two names with the same hash are taken for one: good enough
// where a mistake costs no more than a number that is appended to a new name.
// It does not use std::unordered_set because every node's name goes into it: with that class here
// and in the table of operators, a model of 100,000 nodes takes 0.9 % more instructions and 6 %
// more CPU time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace onnx_lower {

class HashSet {
 public:
  void insert(uint64_t hash) {
    const size_t slot = find_slot(hash);
    if (slots_[slot] == hash) return;
    slots_[slot] = hash;
    if (++size_ * 4 > slots_.size() * 3) grow();
  }
  bool contains(uint64_t hash) const { return slots_[find_slot(hash)] == hash; }

 private:
  static constexpr uint64_t empty = 0;

  size_t find_slot(uint64_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash & mask;
    while (slots_[slot] != empty && slots_[slot] != hash) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<uint64_t> old(slots_.size() * 2, empty);
    old.swap(slots_);
    for (const uint64_t hash : old) {
      if (hash != empty) slots_[find_slot(hash)] = hash;
    }
  }

  std::vector<uint64_t> slots_ = std::vector<uint64_t>(256, empty);
  size_t size_ = 0;
};

}  // namespace onnx_lower

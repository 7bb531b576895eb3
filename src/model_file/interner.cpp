// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/interner.h"

#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnx_lower {

uint64_t hash_of(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

void Interner::expect(size_t count) {
  const size_t names = names_.size() + count;
  // Rules add names of their own; memory that is not used costs next to nothing, and to move what is there costs much.
  if (names > names_.capacity()) names_.reserve(names * 2);
  if (names * 4 > slots_.size() * 3) resize(std::bit_ceil(names * 4 / 3 + 1));
}

void Interner::forget_newest(uint64_t hash) {
  const size_t mask = slots_.size() - 1;
  size_t hole = static_cast<uint32_t>(hash) & mask;
  while (slots_[hole].number != names_.size()) hole = (hole + 1) & mask;
  names_.pop_back();
  // What stands behind because this slot was taken, moves up, so that a search for it does not end here.
  for (size_t index = (hole + 1) & mask; slots_[index].number != empty; index = (index + 1) & mask) {
    const size_t from_home = (index - slots_[index].hash) & mask;
    if (from_home < ((index - hole) & mask)) continue;
    slots_[hole] = slots_[index];
    hole = index;
  }
  slots_[hole] = {};
}

void Interner::resize(size_t slots) {
  Slots old(slots);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == empty) continue;
    size_t index = slot.hash & mask;
    while (slots_[index].number != empty) index = (index + 1) & mask;
    slots_[index] = slot;
  }
}

}  // namespace onnx_lower

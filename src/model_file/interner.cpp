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
  // Rules add names. Reserved memory that is not used costs next to nothing, while a vector that
  // grows has to move its content.
  if (names > names_.capacity()) names_.reserve(names * 2);
  const size_t used = used_ + count;
  if (used * 4 > slots_.size() * 3) resize(std::bit_ceil(used * 4 / 3 + 1));
}

void Interner::forget_newest(uint64_t hash, bool stays_known) {
  const size_t mask = slots_.size() - 1;
  size_t index = static_cast<uint32_t>(hash) & mask;
  while (slots_[index].number != names_.size()) index = (index + 1) & mask;
  const bool ends_row = slots_[(index + 1) & mask].number == empty;
  if (!stays_known && ends_row) {
    slots_[index] = {};
    --used_;
  } else {
    slots_[index].number = stays_known ? forgotten_with(hash) : forgotten;
  }
  names_.pop_back();
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

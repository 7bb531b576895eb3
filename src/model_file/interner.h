// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Numbers for names: each distinct name gets the next number, starting with 0 for the empty one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model_file/large_page_allocator.h"

namespace onnx_lower {

// A hash of the name that is the same on every machine.
uint64_t hash_of(std::string_view name);

// A hash table with open addressing, since a model has hundreds of thousands of names and each
// occurrence is looked up once. The slots hold the hashes, so that other names are hardly ever
// touched. The names are not copied: they must live as long as the interner. No library's table is
// used because a slot here takes 8 bytes and can be fetched into the cache ahead of time: with
// ankerl::unordered_dense 4.9 a model of 100,000 nodes takes 2.8 % more instructions and 5 % more
// memory, with tsl::robin_map 1.2 3.5 % and 8 %.
class Interner {
 public:
  Interner() : slots_(1024) { intern({}); }

  uint32_t intern(std::string_view name) {
    return intern_with(name, hash_of(name), [](std::string_view same) { return same; });
  }

  // Looks up a name whose bytes do not last. If the name is new, `keep(name)` is called and returns
  // a copy that lasts.
  template <typename Keep>
  uint32_t intern_with(std::string_view name, uint64_t hash, Keep keep) {
    return intern_at(find_slot(name, static_cast<uint32_t>(hash)), name, hash, keep);
  }
  struct Made {
    uint32_t id;
    bool was_forgotten;  // the name is new, but stays known since forget_newest()
  };
  template <typename Keep>
  Made intern_made(std::string_view name, uint64_t hash, Keep keep) {
    bool was_forgotten = false;
    const size_t slot = find_slot(name, static_cast<uint32_t>(hash),
                                  [&](uint32_t number) { was_forgotten |= number == forgotten_with(hash); });
    return {intern_at(slot, name, hash, keep), was_forgotten};
  }

  // To be called a while before a look-up with that hash, since a large table is in no cache.
  void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[static_cast<uint32_t>(hash) & (slots_.size() - 1)]); }

  std::optional<uint32_t> find(std::string_view name) const { return find(name, hash_of(name)); }
  std::optional<uint32_t> find(std::string_view name, uint64_t hash) const {
    const uint32_t found = slots_[find_slot(name, static_cast<uint32_t>(hash))].number;
    if (found == empty) return std::nullopt;
    return found - 1;
  }

  // Takes back the number of the newest name, whose hash is given. With `stays_known` the name
  // counts as taken for ever. Two forgotten names with the same hash are taken for one.
  void forget_newest(uint64_t hash, bool stays_known);

  std::string_view operator[](uint32_t id) const { return names_[id]; }
  size_t size() const { return names_.size(); }

  // Reserves memory for that many more names. Memory that is not used costs next to nothing.
  void expect(size_t count);

 private:
  static constexpr uint32_t empty = 0;
  static constexpr uint32_t forgotten = uint32_t{1} << 31;

  struct Slot {
    uint32_t hash = 0;
    // The id of the name + 1. For a forgotten name it is `forgotten`, with the upper bits of the
    // name's hash if the name stays known.
    uint32_t number = empty;
  };
  static uint32_t forgotten_with(uint64_t hash) { return forgotten | static_cast<uint32_t>(hash >> 32); }

  size_t find_slot(std::string_view name, uint32_t hash) const {
    return find_slot(name, hash, [](uint32_t) {});
  }
  template <typename Forgotten>
  size_t find_slot(std::string_view name, uint32_t hash, Forgotten see_forgotten) const {
    const size_t mask = slots_.size() - 1;
    for (size_t index = hash & mask;; index = (index + 1) & mask) {
      const Slot& slot = slots_[index];
      if (slot.number == empty) return index;
      if (slot.hash != hash) continue;
      if ((slot.number & forgotten) != 0) {
        see_forgotten(slot.number);
      } else if (names_[slot.number - 1] == name) {
        return index;
      }
    }
  }

  template <typename Keep>
  uint32_t intern_at(size_t slot, std::string_view name, uint64_t hash, Keep keep) {
    if (slots_[slot].number != empty) return slots_[slot].number - 1;
    const auto id = static_cast<uint32_t>(names_.size());
    names_.push_back(keep(name));
    slots_[slot] = {static_cast<uint32_t>(hash), id + 1};
    if (++used_ * 4 > slots_.size() * 3) resize(slots_.size() * 2);
    return id;
  }

  void resize(size_t slots);

  using Slots = std::vector<Slot, LargePageAllocator<Slot>>;

  std::vector<std::string_view, LargePageAllocator<std::string_view>> names_;
  Slots slots_;
  size_t used_ = 0;  // the slots that are not empty
};

}  // namespace onnx_lower

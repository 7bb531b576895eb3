// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// An allocator for small vectors of which there may be hundreds of thousands, and which last as
// long as an arena: their memory comes from the arena, and is given back with it.
#pragma once

#include <cstddef>
#include <type_traits>

#include "model_file/arena.h"

namespace onnx_lower {

template <typename T>
class ArenaAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  // Without an arena, the allocator uses the heap, as that of any other vector does.
  ArenaAllocator() = default;
  // The arena must outlive the vectors that use it.
  explicit ArenaAllocator(Arena& arena) : arena_(&arena) {}
  template <typename U>
  ArenaAllocator(const ArenaAllocator<U>& other) : arena_(other.arena()) {}

  T* allocate(size_t count) {
    const size_t size = count * sizeof(T);
    return static_cast<T*>(is_in_arena(size) ? arena_->allocate(size, alignof(T)) : ::operator new(size));
  }
  void deallocate(T* memory, size_t count) {
    if (!is_in_arena(count * sizeof(T))) ::operator delete(memory);
  }

  Arena* arena() const { return arena_; }

  friend bool operator==(const ArenaAllocator& one, const ArenaAllocator& other) { return one.arena_ == other.arena_; }

 private:
  // Larger vectors use the heap: in an arena, a vector that grows leaves its former memory unused.
  static constexpr size_t most_in_arena = 1024;
  bool is_in_arena(size_t size) const { return arena_ != nullptr && size <= most_in_arena; }

  Arena* arena_ = nullptr;
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Allocates memory in the kernel's large pages, where it has them: for data that is accessed in no
// order, as the tables of a large graph are.
#pragma once

#include <cstddef>

namespace onnx_lower {

// Small pieces are ordinary memory, so that small graphs take little. Throws std::bad_alloc.
void* allocate_in_large_pages(size_t size);
void free_large_pages(void* memory, size_t size);

template <typename T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <typename U>
  LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(size_t count) { return static_cast<T*>(allocate_in_large_pages(count * sizeof(T))); }
  void deallocate(T* memory, size_t count) { free_large_pages(memory, count * sizeof(T)); }

  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

}  // namespace onnx_lower

// Memory that is touched all over, as tables of a large graph are: in the kernel's large pages, where it has them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace onnx_lower {

template <typename T>
struct LargePageAllocator {
  using value_type = T;
  static constexpr size_t page = size_t{1} << 21;

  LargePageAllocator() = default;
  template <typename U>
  LargePageAllocator(const LargePageAllocator<U>&) {}

  // Small graphs' tables stay small.
  T* allocate(size_t count) {
    const size_t size = count * sizeof(T);
    if (size < page) return static_cast<T*>(::operator new(size));
    void* memory = std::aligned_alloc(page, (size + page - 1) / page * page);
    if (memory == nullptr) throw std::bad_alloc();
    // Not all kernels can, and it is as good without.
    ::madvise(memory, size, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) {
    if (count * sizeof(T) < page) {
      ::operator delete(memory);
    } else {
      std::free(memory);
    }
  }

  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

}  // namespace onnx_lower

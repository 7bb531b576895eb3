// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/large_page_allocator.h"

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>

namespace onnx_lower {
namespace {

constexpr size_t large_page = size_t{1} << 21;

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;  // younger than some C libraries
#endif

// A large page takes a third of a millisecond. Where a hypervisor has taken back the memory behind it, it takes two, and its 512 small pages, which the
// kernel has from what was in use a moment ago, one; half of one if they are asked for together.
constexpr auto slow = std::chrono::milliseconds(1);
std::atomic<bool> large_pages_are_slow = false;

// Whether it was long until the first one was there. Nothing of `memory`, which begins with a large page, is in use yet.
bool takes_long_for_large_pages(char* memory, size_t size) {
  ::madvise(memory, size, MADV_HUGEPAGE);
  const auto start = std::chrono::steady_clock::now();
  *static_cast<volatile char*>(memory) = 0;
  return std::chrono::steady_clock::now() - start >= slow;
}

}  // namespace

void* allocate_in_large_pages(size_t size) {
  if (size < large_page) return ::operator new(size);
  auto* memory = static_cast<char*>(std::aligned_alloc(large_page, (size + large_page - 1) / large_page * large_page));
  if (memory == nullptr) throw std::bad_alloc();
  // Not all kernels can do all of this, and it is as good without.
  if (!large_pages_are_slow && takes_long_for_large_pages(memory, size)) {
    large_pages_are_slow = true;
    ::madvise(memory, size, MADV_NOHUGEPAGE);
  }
  if (large_pages_are_slow) ::madvise(memory, size, MADV_POPULATE_WRITE);
  return memory;
}

void free_large_pages(void* memory, size_t size) {
  if (size < large_page) {
    ::operator delete(memory);
  } else {
    std::free(memory);
  }
}

}  // namespace onnx_lower

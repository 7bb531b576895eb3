// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/large_page_allocator.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace onnx_lower {
namespace {

constexpr size_t large_page = size_t{1} << 21;

}  // namespace

void* allocate_in_large_pages(size_t size) {
  if (size < large_page) return ::operator new(size);
  void* memory = std::aligned_alloc(large_page, (size + large_page - 1) / large_page * large_page);
  if (memory == nullptr) throw std::bad_alloc();
  // A large page costs one page fault for 2 MiB instead of 512. Kernels without large pages refuse,
  // which is no error.
  ::madvise(memory, size, MADV_HUGEPAGE);
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

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Memory for many small things that live as long as the model: taken from large chunks, and given
// back with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "model_file/large_page_allocator.h"

namespace onnx_lower {

class Arena {
 public:
  Arena() = default;
  // For an arena that may stay small where there are many arenas: the first chunk has that size.
  explicit Arena(size_t first_chunk) : chunk_size_(first_chunk / growth) {}

  // Allocates bytes that are not initialized. `alignment` is a power of two.
  char* allocate(size_t size, size_t alignment = 1) {
    size_t padding = -reinterpret_cast<uintptr_t>(next_) & (alignment - 1);
    if (static_cast<size_t>(end_ - next_) < padding + size) {
      add_chunk(size);
      padding = 0;
    }
    char* memory = next_ + padding;
    next_ = memory + size;
    return memory;
  }

  // Allocates objects that need no destructor. They are not initialized.
  template <typename T>
  std::span<T> allocate_array(size_t count) {
    if (count == 0) return {};
    return {reinterpret_cast<T*>(allocate(count * sizeof(T), alignof(T))), count};
  }

  // How far the arena is filled.
  struct Mark {
    size_t chunks = 0;
    char* next = nullptr;
  };
  Mark mark() const { return {chunks_.size(), next_}; }
  // Whether everything that was allocated since the mark lies in one piece.
  bool is_one_piece_since(Mark mark) const { return mark.chunks == chunks_.size(); }
  // Gives back what was allocated since the mark, if that is one piece: nobody may use it any more.
  void rewind(Mark mark) {
    if (!is_one_piece_since(mark)) return;
#ifdef __SANITIZE_ADDRESS__
    // Overwritten, so that AddressSanitizer builds show a use of memory that was given back.
    if (mark.next != nullptr) std::memset(mark.next, 0xDD, static_cast<size_t>(next_ - mark.next));
#endif
    next_ = mark.next;
  }

  std::string_view copy(std::string_view bytes) {
    if (bytes.empty()) return {};
    char* memory = allocate(bytes.size());
    std::memcpy(memory, bytes.data(), bytes.size());
    return {memory, bytes.size()};
  }

 private:
  // The factor by which each chunk is larger than the one before it, up to the largest.
  static constexpr size_t growth = 4;

  void add_chunk(size_t at_least);

  struct FreeChunk {
    size_t size = 0;
    void operator()(char* memory) const { free_large_pages(memory, size); }
  };

  std::vector<std::unique_ptr<char, FreeChunk>> chunks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  size_t chunk_size_ = size_t{1} << 14;
};

}  // namespace onnx_lower

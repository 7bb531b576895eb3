// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/arena.h"

#include <algorithm>

namespace onnx_lower {

void Arena::add_chunk(size_t at_least) {
  // Pages that are never touched cost nothing: a chunk may be larger than what
  // is allocated from it.
  constexpr size_t largest_chunk = size_t{1} << 22;
  chunk_size_ = std::min(chunk_size_ * growth, largest_chunk);
  const size_t size = std::max(chunk_size_, at_least);
  chunks_.emplace_back(static_cast<char*>(allocate_in_large_pages(size)), FreeChunk{size});
  next_ = chunks_.back().get();
  end_ = next_ + size;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/content_hash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnx_lower {

struct ContentHasher::State {
  XXH3_state_t xxh3;
};

ContentHasher::ContentHasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh3); }
ContentHasher::~ContentHasher() = default;

void ContentHasher::add(std::string_view bytes) { XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size()); }

void ContentHasher::add_field(std::string_view text) {
  add(fmt::format("{}:", text.size()));
  add(text);
}

std::string ContentHasher::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string content_hash_of_file(const std::string& path) {
  const auto fail = [&] { throw_file_error(path, "cannot be read"); };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail();
  const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* open) { ::close(*open); });
  // Small enough to stay in the processor's cache between the read and the hash.
  constexpr size_t block_size = 256 * 1024;
  const auto block = std::make_unique_for_overwrite<char[]>(block_size);
  ContentHasher hasher;
  for (;;) {
    const ssize_t count = ::read(descriptor, block.get(), block_size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    if (count == 0) return hasher.hex();
    hasher.add({block.get(), static_cast<size_t>(count)});
  }
}

uint64_t short_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace onnx_lower

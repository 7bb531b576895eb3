// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/content_hash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace onnx_lower {

namespace {

std::string in_hex(const XXH128_hash_t& hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

}  // namespace

std::string content_hash(std::string_view bytes) { return in_hex(XXH3_128bits(bytes.data(), bytes.size())); }

std::string content_hash_of_file(const std::string& path) {
  const auto fail = [&] { throw_file_error(path, "cannot be read"); };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail();
  const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* open) { ::close(*open); });
  // Small enough to stay in the processor's cache between the read and the hash.
  constexpr size_t block_size = 256 * 1024;
  const auto block = std::make_unique_for_overwrite<char[]>(block_size);
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (;;) {
    const ssize_t count = ::read(descriptor, block.get(), block_size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    if (count == 0) return in_hex(XXH3_128bits_digest(&state));
    XXH3_128bits_update(&state, block.get(), static_cast<size_t>(count));
  }
}

}  // namespace onnx_lower

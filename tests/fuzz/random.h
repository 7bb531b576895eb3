// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Random numbers that are the same on every machine for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace onnx_lower::fuzz {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64.
  uint64_t number() {
    uint64_t bits = state_ += 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
  }
  // From 0 to count - 1; 0 for a count of 0.
  size_t below(size_t count) { return count == 0 ? 0 : number() % count; }
  bool chance(unsigned percent) { return below(100) < percent; }

  // One of the elements of what has any.
  template <typename Elements>
  decltype(auto) pick(Elements& elements) {
    return elements[static_cast<int>(below(static_cast<size_t>(std::size(elements))))];
  }

  // A whole number such as break things: small, or at the end of a range.
  int64_t odd_integer() {
    constexpr int64_t odd[] = {0, 1, 2, -1, -2, 3, 7, 255, 256, 65536, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    return chance(60) ? static_cast<int64_t>(below(8)) - 3 : pick(odd);
  }

 private:
  uint64_t state_;
};

}  // namespace onnx_lower::fuzz

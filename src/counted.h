// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How messages write counts.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <limits>
#include <string>
#include <string_view>

namespace onnx_lower {

// Such as "1 node" and "3 nodes".
std::string counted(std::integral auto count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Such as "2" and "1 to 3"; "at least 1" where `most` is the largest int.
inline std::string counts_between(int least, int most) {
  if (least == most) return fmt::format("{}", least);
  return most == std::numeric_limits<int>::max() ? fmt::format("at least {}", least)
                                                 : fmt::format("{} to {}", least, most);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Error messages about a node.
#pragma once

#include <concepts>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace onnx_lower::kernels {

// A fault in a node's attributes or inputs. The code that catches it adds which node has it.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Appends text, an integer or a floating-point number (with six digits) to `text`. Streams are not
// used: what GCC makes of them needs a libstdc++ that is newer than that of many systems on which
// the library is to load.
template <typename Part>
void append_to(std::string& text, const Part& part) {
  if constexpr (std::floating_point<Part>) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", static_cast<double>(part));
    text += digits;
  } else if constexpr (std::integral<Part>) {
    text += std::to_string(part);
  } else {
    text += std::string_view(part);
  }
}

template <typename... Parts>
std::string message(const Parts&... parts) {
  std::string text;
  (append_to(text, parts), ...);
  return text;
}

template <typename... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw BadInput(message(parts...));
}

}  // namespace onnx_lower::kernels

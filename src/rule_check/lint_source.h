// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What onnx's text parser silently reads as something else, found in the source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

struct SourceTrap {
  std::size_t offset;
  std::string message;
};

// The text must parse.
std::vector<SourceTrap> source_traps(std::string_view text);

// The names that a comment "# Unused: a, b" says to be ignored on purpose.
std::vector<std::string> deliberately_unused(std::string_view text);

}  // namespace onnx_lower

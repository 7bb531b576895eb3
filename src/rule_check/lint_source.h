// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds text that onnx's text parser silently misreads.
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

// The names in comments "# Unused: a, b", which say that these are unused on purpose.
std::vector<std::string> deliberately_unused(std::string_view text);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The files of targets/, as the build puts them into the binary.
#pragma once

#include <span>
#include <string_view>

namespace onnx_lower {

struct EmbeddedTarget {
  std::string_view name;  // the file's name, without its ending
  std::string_view text;
};

// Sorted by name.
std::span<const EmbeddedTarget> embedded_targets();

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace onnx_lower {

void throw_file_error(const std::string& path, const char* what) {
  throw FileError(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operators that the kernel library (kernels/) runs natively in ONNX Runtime. The table is
// generated from the library's files.
#pragma once

#include <span>
#include <string_view>

namespace onnx_lower {

struct NativeKernel {
  std::string_view domain, op_type;  // the default domain is ""
};

// All of them, sorted.
std::span<const NativeKernel> native_kernels();

}  // namespace onnx_lower

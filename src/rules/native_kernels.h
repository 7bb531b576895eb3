// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The operators that the kernel library (kernels/) runs natively in ONNX Runtime; the table is made
// from its files.
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

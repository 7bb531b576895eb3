// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/native_kernels.h"

#include <algorithm>

namespace onnx_lower {

bool has_native_kernel(std::string_view domain, std::string_view op_type) {
  return std::ranges::any_of(native_kernels(), [&](const NativeKernel& kernel) {
    return kernel.domain == domain && kernel.op_type == op_type;
  });
}

}  // namespace onnx_lower

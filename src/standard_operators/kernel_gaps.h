// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Element types that ONNX gives an operator, and ONNX Runtime no kernel on a CPU.
#pragma once

#include <cstdint>
#include <string_view>

namespace onnx_lower {

struct KernelGap {
  int input = 0;       // whose element type it is
  uint64_t types = 0;  // a bit for each TensorProto.DataType
};

// As far as rules make such nodes, and other rules say them in operators that do have kernels; so an operator of ai.onnx that stands here has a rule for those types.
KernelGap kernel_gap(std::string_view op_type);

}  // namespace onnx_lower

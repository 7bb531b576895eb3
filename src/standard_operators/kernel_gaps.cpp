// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/kernel_gaps.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "onnx/onnx_pb.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

constexpr uint64_t bits(std::initializer_list<TensorProto::DataType> types) {
  uint64_t result = 0;
  for (const TensorProto::DataType type : types) result |= uint64_t{1} << type;
  return result;
}

// As of ONNX Runtime 1.31, whose kernels tests/python/test_kernel_gaps.py asks for.
constexpr std::pair<std::string_view, KernelGap> gaps[] = {
    {"Acosh", {0, bits({TensorProto::DOUBLE})}},
    {"Asinh", {0, bits({TensorProto::DOUBLE})}},
    {"Atanh", {0, bits({TensorProto::DOUBLE})}},
    {"Cosh", {0, bits({TensorProto::DOUBLE})}},
    {"Sinh", {0, bits({TensorProto::DOUBLE})}},
    {"Where", {1, bits({TensorProto::INT16, TensorProto::UINT16, TensorProto::UINT64, TensorProto::BOOL})}},
};

}  // namespace

KernelGap kernel_gap(std::string_view op_type) {
  const auto* found = std::ranges::find(gaps, op_type, &std::pair<std::string_view, KernelGap>::first);
  return found == std::end(gaps) ? KernelGap() : found->second;
}

}  // namespace onnx_lower

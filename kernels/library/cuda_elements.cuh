// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Element-wise work on a CUDA device.
#pragma once

#include <cuda_fp16.h>

#include "library/broadcast.h"

namespace onnx_lower::kernels {

inline constexpr const char* kCudaProvider = "CUDAExecutionProvider";

// The device's own type for elements of type T, which has the same bytes.
template <typename T>
struct OnDevice {
  using Type = T;
};
template <>
struct OnDevice<Half> {
  using Type = __half;
};
template <typename T>
using DeviceType = typename OnDevice<T>::Type;

__device__ inline float widened(__half value) { return __half2float(value); }
template <typename T>
__device__ T widened(T value) {
  return value;
}

// Converts a number, rounded to nearest, ties to even.
template <typename T, typename From>
__device__ T narrowed(From value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half_rn(value);
  } else {
    return static_cast<T>(value);
  }
}

// Where two inputs, which are broadcast to the shape of an output, have the elements for an element
// of that output.
struct DeviceWalk {
  static constexpr size_t kAxes = 8;

  int axes;
  int64_t size[kAxes], stride[kAxes][2];

  DeviceWalk(const Shape& output, const Shape& one, const Shape& other) : axes(0), size{}, stride{} {
    const Walk<2> walk(output, {&one, &other});
    if (walk.axes().size() > kAxes)
      fail("the inputs differ in more than ", kAxes, " groups of dimensions: shapes ", to_text(one), " and ",
           to_text(other));
    for (const auto& axis : walk.axes()) {
      size[axes] = axis.size;
      for (int input : {0, 1}) stride[axes][input] = axis.stride[input];
      ++axes;
    }
  }

  __device__ void places(int64_t element, int64_t& in_one, int64_t& in_other) const {
    in_one = in_other = 0;
    for (int axis = axes - 1; axis >= 0; --axis) {
      const int64_t place = element % size[axis];
      element /= size[axis];
      in_one += place * stride[axis][0];
      in_other += place * stride[axis][1];
    }
  }
};

template <typename Work>
__global__ void do_elements(int64_t count, Work work) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) work(i);
}

// Calls `work(i)` on the device for 0 … count-1, on the stream of the call. `work` is
// copied to the device.
template <typename Work>
void for_each_element(const Call& call, int64_t count, const Work& work) {
  if (count == 0) return;
  constexpr int64_t threads = 256, most_blocks = 65536;
  const int64_t blocks = (count + threads - 1) / threads;
  do_elements<<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), threads, 0,
                static_cast<cudaStream_t>(call.gpu_stream())>>>(count, work);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw std::runtime_error(message("CUDA: ", cudaGetErrorString(error)));
}

}  // namespace onnx_lower::kernels

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What every CUDA kernel here needs: launches on the stream of the call, memory for what lies
// between two kernels, and the device's own element types.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstring>

#include "library/call.h"

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

template <typename T>
DeviceType<T> on_device(T value) {
  DeviceType<T> result;
  static_assert(sizeof result == sizeof value);
  std::memcpy(static_cast<void*>(&result), &value, sizeof value);
  return result;
}

// The type in which a kernel computes with elements of the device's type T: Wide on the device.
template <typename T>
using WideOnDevice = std::conditional_t<std::is_same_v<T, __half>, float, T>;

__device__ inline float widened(__half value) { return __half2float(value); }
template <typename T>
__device__ T widened(T value) {
  return value;
}

// Converts a number, rounded to nearest, ties to even.
template <typename T, typename From>
__device__ T narrowed(From value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half_rn(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(message("CUDA: ", cudaGetErrorString(error)));
}

inline cudaStream_t stream_of(const Call& call) { return static_cast<cudaStream_t>(call.gpu_stream()); }

// Launches `kernel` with one block for each of `blocks`, on the stream of the call.
template <typename... Parameters, typename... Arguments>
void launch(const Call& call, int64_t blocks, int threads, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  if (blocks == 0) return;
  if (blocks > INT32_MAX) fail("the output is too large for a CUDA kernel: it would need ", blocks, " blocks");
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream_of(call)>>>(arguments...);
  check(cudaGetLastError());
}

// The pool of the current device, which is made for the first call there and never freed, as
// sessions live until the process ends. It keeps for later calls what has been freed.
cudaMemPool_t memory_pool();

// Memory of the device for `count` elements of T, in the order of the call's stream.
template <typename T>
class DeviceMemory {
 public:
  DeviceMemory(const Call& call, int64_t count) : stream_(stream_of(call)) {
    if (count > 0)
      check(cudaMallocFromPoolAsync(&memory_, static_cast<size_t>(count) * sizeof(T), memory_pool(), stream_));
  }
  ~DeviceMemory() {
    if (memory_ != nullptr) cudaFreeAsync(memory_, stream_);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  T* data() const { return static_cast<T*>(memory_); }

 private:
  void* memory_ = nullptr;
  cudaStream_t stream_;
};

// Waits for the stream and returns `count` elements that lie at `data` on the device.
template <typename T>
std::vector<T> read_back(const Call& call, const T* data, size_t count) {
  std::vector<T> result(count);
  check(cudaMemcpyAsync(result.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost, stream_of(call)));
  check(cudaStreamSynchronize(stream_of(call)));
  return result;
}

}  // namespace onnx_lower::kernels

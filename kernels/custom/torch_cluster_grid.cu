// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// torch_cluster_grid on a CUDA device. The host has to wait for the least and greatest positions
// where start or end is absent, and for whether all points are in voxels.
#include "custom/torch_cluster_grid.h"
#include "library/cuda_device.cuh"

namespace onnx_lower::kernels {
namespace {

constexpr int kMostDimensions = 32, kThreads = 256;

// Writes the least and greatest position in each dimension among those that a block sees:
// bounds[block][0 or 1][dimension]. `threads`, those of a block that work, is a multiple of
// `dimensions`. A NaN is no bound, unless it is the first that a thread sees; then a point is in no
// voxel.
template <typename T>
__global__ void find_bounds(const T* values, int64_t count, int dimensions, int threads, T* bounds) {
  __shared__ T least[kThreads], greatest[kThreads];
  const int thread = threadIdx.x;
  const int64_t step = static_cast<int64_t>(gridDim.x) * threads;
  if (thread < threads) {
    // Each block has at least one element in each dimension; a thread without any takes the first
    // one's.
    const int64_t first = static_cast<int64_t>(blockIdx.x) * threads + thread;
    T low = values[first < count ? first : thread % dimensions], high = low;
    for (int64_t i = first; i < count; i += step) {
      const T value = values[i];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    least[thread] = low;
    greatest[thread] = high;
  }
  __syncthreads();
  if (thread >= dimensions) return;
  T low = least[thread], high = greatest[thread];
  for (int other = thread + dimensions; other < threads; other += dimensions) {
    if (least[other] < low) low = least[other];
    if (greatest[other] > high) high = greatest[other];
  }
  bounds[(2 * blockIdx.x) * dimensions + thread] = low;
  bounds[(2 * blockIdx.x + 1) * dimensions + thread] = high;
}

template <typename T>
struct DeviceVoxels {
  int dimensions;
  T size[kMostDimensions], start[kMostDimensions];
  int64_t stride[kMostDimensions];
};

// `first_outside` becomes the number of the first element that is in no voxel.
template <typename T>
__global__ void find_voxels(const T* values, int64_t points, DeviceVoxels<T> voxels, int64_t* cluster,
                            unsigned long long* first_outside) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < points; i += step) {
    int64_t voxel = 0;
    for (int d = 0; d < voxels.dimensions; ++d) {
      const Steps<T> steps(values[i * voxels.dimensions + d] - voxels.start[d], voxels.size[d]);
      if (!steps.is_voxel) atomicMin(first_outside, static_cast<unsigned long long>(i * voxels.dimensions + d));
      voxel = add_product(voxel, steps.count, voxels.stride[d]);
    }
    cluster[i] = voxel;
  }
}

class PlacingOnDevice {
 public:
  template <typename T>
  static void place(Call& call, const Tensor& pos) {
    const int64_t points = pos.shape[0], dimensions = dimensions_of(pos);
    Voxels<T> voxels = read_voxels<T>(call, dimensions);
    if (dimensions > kMostDimensions) {
      fail("the points of pos (input 0) have ", dimensions, " dimensions, and the CUDA kernel takes at most ",
           kMostDimensions);
    }
    auto* cluster = call.output<int64_t>(0, {points});
    if (points == 0) return;
    if (dimensions > 0 && (voxels.start.empty() || voxels.end.empty())) find_missing_bounds(call, pos, voxels);
    const std::vector<int64_t> strides = strides_of(voxels);
    DeviceVoxels<T> on_device{.dimensions = static_cast<int>(dimensions), .size = {}, .start = {}, .stride = {}};
    std::ranges::copy(voxels.size, on_device.size);
    std::ranges::copy(voxels.start, on_device.start);
    std::ranges::copy(strides, on_device.stride);
    const DeviceMemory<unsigned long long> first_outside(call, 1);
    check(cudaMemsetAsync(first_outside.data(), 0xff, sizeof(unsigned long long), stream_of(call)));
    constexpr int64_t most_blocks = 65536;
    launch(call, std::min((points + kThreads - 1) / kThreads, most_blocks), kThreads, find_voxels<T>, pos.as<T>(),
           points, on_device, cluster, first_outside.data());
    const unsigned long long outside = read_back(call, first_outside.data(), 1).front();
    if (outside == UINT64_MAX) return;
    const auto point = static_cast<int64_t>(outside) / dimensions, d = static_cast<int64_t>(outside) % dimensions;
    const T value = read_back(call, pos.as<T>() + outside, 1).front();
    fail_at(point, d, Steps<T>(value - voxels.start[d], voxels.size[d]).quotient);
  }

 private:
  template <typename T>
  static void find_missing_bounds(const Call& call, const Tensor& pos, Voxels<T>& voxels) {
    const auto dimensions = static_cast<int>(voxels.size.size()), threads = kThreads / dimensions * dimensions;
    constexpr int64_t most_blocks = 512;
    const int64_t blocks = std::min((pos.size() + threads - 1) / threads, most_blocks);
    const DeviceMemory<T> bounds(call, 2 * blocks * dimensions);
    launch(call, blocks, kThreads, find_bounds<T>, pos.as<T>(), pos.size(), dimensions, threads, bounds.data());
    const std::vector<T> found = read_back(call, bounds.data(), 2 * blocks * dimensions);
    std::vector<T> least(found.begin(), found.begin() + dimensions);
    std::vector<T> greatest(found.begin() + dimensions, found.begin() + 2 * dimensions);
    for (int64_t i = 2 * dimensions; i < std::ssize(found); ++i) {
      const int64_t d = i % dimensions;
      if (i / dimensions % 2 == 0) {
        least[d] = std::min(least[d], found[i]);
      } else {
        greatest[d] = std::max(greatest[d], found[i]);
      }
    }
    if (voxels.start.empty()) voxels.start = std::move(least);
    if (voxels.end.empty()) voxels.end = std::move(greatest);
  }
};

const Registration registration(ONNX_LOWER_KERNEL,
                                torch_cluster_grid(make_kernel<Grid<PlacingOnDevice>>, kCudaProvider));

}  // namespace
}  // namespace onnx_lower::kernels

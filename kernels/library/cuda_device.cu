// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <map>
#include <mutex>

#include "library/cuda_device.cuh"

namespace onnx_lower::kernels {

cudaMemPool_t memory_pool() {
  static std::mutex mutex;
  static auto* const pools = new std::map<int, cudaMemPool_t>;
  int device = 0;
  check(cudaGetDevice(&device));
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = pools->try_emplace(device);
  if (is_new) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {.type = cudaMemLocationTypeDevice, .id = device};
    check(cudaMemPoolCreate(&place->second, &properties));
    uint64_t kept = UINT64_MAX;
    check(cudaMemPoolSetAttribute(place->second, cudaMemPoolAttrReleaseThreshold, &kept));
  }
  return place->second;
}

}  // namespace onnx_lower::kernels

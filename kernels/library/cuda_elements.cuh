// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Element-wise work on a CUDA device. It reads and writes each element once, sixteen bytes at a
// time where nothing is broadcast, which is as fast as the device's memory.
#pragma once

#include <algorithm>
#include <array>

#include "library/broadcast.h"
#include "library/cuda_device.cuh"

namespace onnx_lower::kernels {

// The tensors of an element-wise operator. An output that the node does not have is null.
template <typename T, int Inputs, int Outputs>
struct ElementOperands {
  const T* in[Inputs];
  T* out[Outputs];
};

// Where inputs that are broadcast to the shape of an output have the elements for an element of it.
template <int Inputs>
struct DeviceWalk {
  static constexpr size_t kAxes = 8;

  int axes;
  int64_t size[kAxes], stride[kAxes][Inputs];

  explicit DeviceWalk(const Walk<Inputs>& walk) : axes(0), size{}, stride{} {
    if (walk.axes().size() > kAxes) fail("the inputs differ in more than ", kAxes, " groups of dimensions");
    for (const auto& axis : walk.axes()) {
      size[axes] = axis.size;
      for (int input = 0; input < Inputs; ++input) stride[axes][input] = axis.stride[input];
      ++axes;
    }
  }

  __device__ void places(int64_t element, int64_t (&in)[Inputs]) const {
    for (int64_t& place : in) place = 0;
    for (int axis = axes - 1; axis >= 0; --axis) {
      const int64_t place = element % size[axis];
      element /= size[axis];
      for (int input = 0; input < Inputs; ++input) in[input] += place * stride[axis][input];
    }
  }
};

inline constexpr int kElementThreads = 256;

template <typename T, int Inputs, int Outputs, typename Work>
__global__ void do_broadcast_elements(int64_t count, ElementOperands<T, Inputs, Outputs> operands,
                                      DeviceWalk<Inputs> walk, Work work) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    int64_t places[Inputs];
    walk.places(i, places);
    T in[Inputs], out[Outputs];
    for (int input = 0; input < Inputs; ++input) in[input] = operands.in[input][places[input]];
    work(in, out);
    for (int output = 0; output < Outputs; ++output) {
      if (operands.out[output] != nullptr) operands.out[output][i] = out[output];
    }
  }
}

// Sixteen bytes of elements.
template <typename T>
struct alignas(16) Pack {
  static constexpr int kSize = 16 / sizeof(T);
  T elements[kSize];
};

// How many packs of each input a thread reads before it uses the first.
inline constexpr int kPacksInFlight = 4;

template <typename T, int Inputs, int Outputs, typename Work>
__device__ void do_pack(const Pack<T> (&in)[Inputs], Pack<T> (&out)[Outputs], const Work& work) {
  for (int i = 0; i < Pack<T>::kSize; ++i) {
    T one_in[Inputs], one_out[Outputs];
    for (int input = 0; input < Inputs; ++input) one_in[input] = in[input].elements[i];
    work(one_in, one_out);
    for (int output = 0; output < Outputs; ++output) out[output].elements[i] = one_out[output];
  }
}

// All tensors begin at a multiple of sixteen bytes and have `count` elements.
template <typename T, int Inputs, int Outputs, typename Work>
__global__ void do_packs(int64_t count, ElementOperands<T, Inputs, Outputs> operands, Work work) {
  const int64_t packs = count / Pack<T>::kSize;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x * kPacksInFlight + threadIdx.x;
  Pack<T> in[kPacksInFlight][Inputs];
#pragma unroll
  for (int k = 0; k < kPacksInFlight; ++k) {
    const int64_t pack = first + k * blockDim.x;
    for (int input = 0; input < Inputs && pack < packs; ++input)
      in[k][input] = reinterpret_cast<const Pack<T>*>(operands.in[input])[pack];
  }
#pragma unroll
  for (int k = 0; k < kPacksInFlight; ++k) {
    const int64_t pack = first + k * blockDim.x;
    if (pack >= packs) break;
    Pack<T> out[Outputs];
    do_pack<T>(in[k], out, work);
    for (int output = 0; output < Outputs; ++output) {
      if (operands.out[output] != nullptr) reinterpret_cast<Pack<T>*>(operands.out[output])[pack] = out[output];
    }
  }
  // What is left behind the last whole pack.
  const int64_t rest = packs * Pack<T>::kSize + threadIdx.x;
  if (blockIdx.x != 0 || rest >= count) return;
  T one_in[Inputs], one_out[Outputs];
  for (int input = 0; input < Inputs; ++input) one_in[input] = operands.in[input][rest];
  work(one_in, one_out);
  for (int output = 0; output < Outputs; ++output) {
    if (operands.out[output] != nullptr) operands.out[output][rest] = one_out[output];
  }
}

// Calls `work(in, out)` on the device with the elements of the inputs for each element of the
// outputs, which have that shape. `work` is copied to the device.
template <typename T, int Inputs, int Outputs, typename Work>
void for_each_element(const Call& call, const Shape& shape, const std::array<const Shape*, Inputs>& input_shapes,
                      const ElementOperands<T, Inputs, Outputs>& operands, const Work& work) {
  const int64_t count = element_count(shape);
  if (count == 0) return;
  const Walk<Inputs> walk(shape, input_shapes);
  const auto blocks = [count](int64_t of_a_block) { return (count + of_a_block - 1) / of_a_block; };
  const auto is_whole = [](const void* data) { return reinterpret_cast<uintptr_t>(data) % 16 == 0; };
  const auto& axis = walk.axes().front();
  const bool in_packs = walk.axes().size() == 1 && std::ranges::all_of(axis.stride, [](int64_t s) { return s == 1; }) &&
                        std::ranges::all_of(operands.in, is_whole) && std::ranges::all_of(operands.out, is_whole);
  if (in_packs) {
    launch(call, blocks(int64_t{kElementThreads} * kPacksInFlight * Pack<T>::kSize), kElementThreads,
           do_packs<T, Inputs, Outputs, Work>, count, operands, work);
  } else {
    constexpr int64_t most_blocks = 65536;
    launch(call, std::min(blocks(kElementThreads), most_blocks), kElementThreads,
           do_broadcast_elements<T, Inputs, Outputs, Work>, count, operands, DeviceWalk<Inputs>(walk), work);
  }
}

}  // namespace onnx_lower::kernels

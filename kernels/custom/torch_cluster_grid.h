// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the kernels of torch_cluster_grid have in common: the voxels' sizes and where they begin.
#pragma once

#include <algorithm>
#include <vector>

#include "library/operator.h"

#ifdef __CUDACC__
#define ONNX_LOWER_ON_BOTH __host__ __device__
#else
#define ONNX_LOWER_ON_BOTH
#endif

namespace onnx_lower::kernels {

// Where voxels are, by dimension; `start` and `end` are empty where these inputs are absent.
template <typename T>
struct Voxels {
  std::vector<T> size, start, end;
};

// How many whole steps of `size` are in `distance`, truncated, and whether int64 has that number.
template <typename T>
struct Steps {
  int64_t count;
  bool is_voxel;
  T quotient;

  ONNX_LOWER_ON_BOTH Steps(T distance, T size) : count(0), is_voxel(true), quotient(0) {
    if constexpr (std::is_floating_point_v<T>) {
      quotient = distance / size;
      // Both limits are powers of two, and so exact in every type.
      is_voxel = quotient >= T(-9223372036854775808.0) && quotient < T(9223372036854775808.0);
      if (is_voxel) count = static_cast<int64_t>(quotient);
    } else {
      // The processor cannot divide the least integer by -1; it stays itself.
      using Unsigned = std::make_unsigned_t<T>;
      quotient = size == -1 ? static_cast<T>(Unsigned(0) - static_cast<Unsigned>(distance)) : distance / size;
      count = quotient;
    }
  }
};

// sum + one * other, where all results wrap around.
ONNX_LOWER_ON_BOTH inline int64_t add_product(int64_t sum, int64_t one, int64_t other) {
  return static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(one) * static_cast<uint64_t>(other));
}

inline int64_t dimensions_of(const Tensor& pos) {
  int64_t dimensions = 1;
  for (size_t axis = 1; axis < pos.rank(); ++axis) dimensions *= pos.shape[axis];
  return dimensions;
}

// Reads the inputs 1 to 3, which have to be in the host's memory. Throws BadInput where they do not
// fit.
template <typename T>
Voxels<T> read_voxels(const Call& call, int64_t dimensions) {
  const auto read = [&](size_t index, std::string_view name) {
    const Tensor tensor = call.input(index, name, 1);
    if (tensor.size() != dimensions) {
      fail(name, " (input ", index, ") has ", tensor.size(), " elements, where the points of pos (input 0) have ",
           dimensions, " dimensions");
    }
    return std::vector<T>(tensor.as<T>(), tensor.as<T>() + tensor.size());
  };
  Voxels<T> voxels{.size = read(1, "size"), .start = {}, .end = {}};
  for (int64_t d = 0; d < dimensions; ++d) {
    if (voxels.size[d] == 0) fail("element ", d, " of size (input 1) is zero");
  }
  if (call.has_input(2)) voxels.start = read(2, "start");
  if (call.has_input(3)) voxels.end = read(3, "end");
  return voxels;
}

// By how much a step along each dimension changes the number of a voxel. Throws BadInput where a
// dimension has more voxels than int64 can count.
template <typename T>
std::vector<int64_t> strides_of(const Voxels<T>& voxels) {
  std::vector<int64_t> strides(voxels.size.size(), 1);
  for (size_t d = 0; d + 1 < strides.size(); ++d) {
    const Steps<T> steps(voxels.end[d] - voxels.start[d], voxels.size[d]);
    if (!steps.is_voxel) {
      fail("dimension ", d, " of end (input 3) is ", steps.quotient, " voxels away from start, which is no voxel");
    }
    strides[d + 1] = add_product(0, strides[d], add_product(steps.count, 1, 1));
  }
  return strides;
}

// `Placing::place<T>(call, pos)` computes output 0 from points of elements of type T.
template <typename Placing>
class Grid : public Kernel {
 public:
  explicit Grid(const Node&) {}

  void run(Call& call) const override {
    const Tensor pos = call.input(0, "pos");
    if (pos.rank() == 0) fail("pos (input 0) has rank 0, where points are expected");
    with_type<float, double, int32_t, int64_t>(pos.type, [&]<typename T>(T) { Placing::template place<T>(call, pos); });
  }
};

// Throws BadInput for an element of pos that is in no voxel.
template <typename T>
[[noreturn]] void fail_at(int64_t point, int64_t dimension, T quotient) {
  fail("dimension ", dimension, " of point ", point, " of pos (input 0) is ", quotient,
       " voxels away from start, which is no voxel");
}

// `kernel` makes the kernel, which is for that execution provider; null is the CPU's.
Operator torch_cluster_grid(std::unique_ptr<Kernel> (*kernel)(const Node&), const char* execution_provider);

}  // namespace onnx_lower::kernels

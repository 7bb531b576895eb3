// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The voxel of each point: sum over d of trunc((pos_d - start_d) / size_d) * product over k < d of
// (trunc((end_k - start_k) / size_k) + 1), with quotients and conversions to integers as
// pytorch_cluster makes them. start and end, inputs 2 and 3, are the least and greatest position
// where they are absent.
// Also: torch_cluster::grid
#include <algorithm>
#include <cmath>

#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

// How many whole steps of `size` are in `distance`, truncated. Throws BadInput if that does not fit
// into int64; `what` names the quotient in the message.
template <typename T, typename... What>
int64_t steps(T distance, T size, const What&... what) {
  const T quotient = distance / size;
  if constexpr (std::is_floating_point_v<T>) {
    // Both limits are powers of two, and so exact in every type.
    if (!(quotient >= T(-9223372036854775808.0) && quotient < T(9223372036854775808.0)))
      fail(what..., " is ", quotient, " voxels away from start, which is no voxel");
  }
  return static_cast<int64_t>(quotient);
}

// sum + one * other, where all results wrap around.
int64_t add_product(int64_t sum, int64_t one, int64_t other) {
  return static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(one) * static_cast<uint64_t>(other));
}

class Grid : public Kernel {
 public:
  explicit Grid(const Node&) {}

  void run(Call& call) const override {
    const Tensor pos = call.input(0, "pos");
    if (pos.rank() == 0) fail("pos (input 0) has rank 0, where points are expected");
    with_type<float, double, int32_t, int64_t>(pos.type, [&]<typename T>(T) { place<T>(call, pos); });
  }

 private:
  template <typename T>
  static std::vector<T> vector(const Call& call, size_t index, std::string_view name, int64_t dimensions) {
    const Tensor tensor = call.input(index, name, 1);
    if (tensor.size() != dimensions) {
      fail(name, " (input ", index, ") has ", tensor.size(), " elements, where the points of pos (input 0) have ",
           dimensions, " dimensions");
    }
    return {tensor.as<T>(), tensor.as<T>() + tensor.size()};
  }

  template <typename T>
  static void place(Call& call, const Tensor& pos) {
    const int64_t points = pos.shape[0];
    int64_t dimensions = 1;
    for (size_t axis = 1; axis < pos.rank(); ++axis) dimensions *= pos.shape[axis];
    const T* values = pos.as<T>();

    const std::vector<T> size = vector<T>(call, 1, "size", dimensions);
    for (int64_t d = 0; d < dimensions; ++d) {
      if (size[d] == 0) fail("element ", d, " of size (input 1) is zero");
    }
    std::vector<T> start, end;
    if (call.has_input(2)) start = vector<T>(call, 2, "start", dimensions);
    if (call.has_input(3)) end = vector<T>(call, 3, "end", dimensions);
    int64_t* cluster = call.output<int64_t>(0, {points});
    if (points == 0) return;
    for (std::vector<T>* bound : {&start, &end}) {
      if (!bound->empty() || dimensions == 0) continue;
      bound->assign(values, values + dimensions);
      for (int64_t i = dimensions; i < points * dimensions; ++i) {
        T& kept = (*bound)[i % dimensions];
        // A NaN is kept, so that it is found below.
        if (bound == &start ? !(values[i] >= kept) : !(values[i] <= kept)) kept = values[i];
      }
    }

    std::vector<int64_t> strides(dimensions, 1);
    for (int64_t d = 0; d + 1 < dimensions; ++d) {
      const int64_t voxels = steps<T>(end[d] - start[d], size[d], "dimension ", d, " of end (input 3)") + 1;
      strides[d + 1] = add_product(0, strides[d], voxels);
    }
    call.parallel_for(points, 1 << 13, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        int64_t voxel = 0;
        for (int64_t d = 0; d < dimensions; ++d) {
          const T distance = values[i * dimensions + d] - start[d];
          voxel = add_product(voxel, steps<T>(distance, size[d], "dimension ", d, " of point ", i, " of pos (input 0)"),
                              strides[d]);
        }
        cluster[i] = voxel;
      }
    });
  }
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto pos = shapes.input(0)) shapes.set_output(0, {pos->front()});
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (ElementType type : {kFloat, kDouble, kInt32, kInt64})
    all.push_back({.inputs = {type, type, type, type}, .outputs = {kInt64}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 2,
                                                    .required_outputs = 1,
                                                    .forms = forms(),
                                                    .make = make_kernel<Grid>,
                                                    .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

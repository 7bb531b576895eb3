// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The voxel of each point: sum over d of trunc((pos_d - start_d) / size_d) * product over k < d of
// (trunc((end_k - start_k) / size_k) + 1), with quotients and conversions to integers as
// pytorch_cluster makes them. start and end, inputs 2 and 3, are the least and greatest position
// where they are absent.
// Also: torch_cluster::grid
#include "custom/torch_cluster_grid.h"

namespace onnx_lower::kernels {
namespace {

struct OnHost {
  template <typename T>
  static void place(Call& call, const Tensor& pos) {
    const int64_t points = pos.shape[0], dimensions = dimensions_of(pos);
    const T* values = pos.as<T>();
    Voxels<T> voxels = read_voxels<T>(call, dimensions);
    auto* cluster = call.output<int64_t>(0, {points});
    if (points == 0) return;
    for (std::vector<T>* bound : {&voxels.start, &voxels.end}) {
      if (!bound->empty() || dimensions == 0) continue;
      bound->assign(values, values + dimensions);
      for (int64_t i = dimensions; i < points * dimensions; ++i) {
        T& kept = (*bound)[i % dimensions];
        // A NaN changes nothing: it is found below.
        if (bound == &voxels.start ? values[i] < kept : values[i] > kept) kept = values[i];
      }
    }

    const std::vector<int64_t> strides = strides_of(voxels);
    call.parallel_for(points, 1 << 13, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        int64_t voxel = 0;
        for (int64_t d = 0; d < dimensions; ++d) {
          const Steps<T> steps(values[i * dimensions + d] - voxels.start[d], voxels.size[d]);
          if (!steps.is_voxel) fail_at(i, d, steps.quotient);
          voxel = add_product(voxel, steps.count, strides[d]);
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
    all.push_back({.inputs = {type, type, type, type}, .outputs = {kInt64}, .on_host = {1, 2, 3}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, torch_cluster_grid(make_kernel<Grid<OnHost>>, nullptr));

}  // namespace

Operator torch_cluster_grid(std::unique_ptr<Kernel> (*kernel)(const Node&), const char* execution_provider) {
  return {.required_inputs = 2,
          .required_outputs = 1,
          .forms = forms(),
          .make = kernel,
          .infer_shapes = infer_shapes,
          .execution_provider = execution_provider};
}

}  // namespace onnx_lower::kernels

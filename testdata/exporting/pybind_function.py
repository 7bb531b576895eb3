# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A function of a C++ extension (pybind11), called as it is and from an autograd function with a symbolic. torch 2.2, and a C++ compiler."""
import torch
from record import record, sample
from torch.utils.cpp_extension import load_inline

SOURCE = """
#include <algorithm>
#include <cmath>
#include <vector>

// The nsample nearest points of each query in its own batch; offsets hold the end of each batch.
std::vector<torch::Tensor> knnquery(int nsample, torch::Tensor xyz, torch::Tensor offset, torch::Tensor new_xyz, torch::Tensor new_offset) {
  const int64_t queries = new_xyz.size(0);
  torch::Tensor idx = torch::full({queries, nsample}, -1, torch::kInt32), dist = torch::full({queries, nsample}, 100000.f);
  const auto points = xyz.contiguous(), from = new_xyz.contiguous();
  const float *p = points.data_ptr<float>(), *q = from.data_ptr<float>();
  const int *ends = offset.data_ptr<int>(), *new_ends = new_offset.data_ptr<int>();
  for (int64_t m = 0, batch = 0; m < queries; ++m) {
    while (m >= new_ends[batch]) ++batch;
    std::vector<std::pair<float, int>> found;
    for (int n = batch == 0 ? 0 : ends[batch - 1]; n < ends[batch]; ++n) {
      float squared = 0;
      for (int d = 0; d < 3; ++d) squared += (q[3 * m + d] - p[3 * n + d]) * (q[3 * m + d] - p[3 * n + d]);
      if (squared < 1e10f) found.emplace_back(squared, n);
    }
    std::sort(found.begin(), found.end());
    for (size_t k = 0; k < std::min<size_t>(nsample, found.size()); ++k) {
      idx.data_ptr<int>()[m * nsample + k] = found[k].second;
      dist.data_ptr<float>()[m * nsample + k] = std::sqrt(found[k].first);
    }
  }
  return {idx, dist};
}

torch::Tensor scale_and_cap(torch::Tensor x, double factor, double limit) { return (x * factor).clamp_max(limit); }
"""
pointops = load_inline("pointops_of_the_page", SOURCE, functions=["knnquery", "scale_and_cap"])
points = [sample(12, 3), sample(12, 3, seed=1)]
ends = torch.tensor([5, 12], dtype=torch.int32)


class Operators(torch.nn.Module):
    def forward(self, x):
        return pointops.scale_and_cap(x, 2.5, 3.0)


torch.onnx.export(Operators(), (points[0],), "pybind_function_of_operators.onnx", opset_version=17, input_names=["x"], output_names=["y"])
record("pybind_function_of_operators.onnx", Operators(), (points[0],), (points[1],))


class Bare(torch.nn.Module):
    def forward(self, xyz, offset):
        return pointops.knnquery(4, xyz, offset, xyz, offset)


torch.onnx.export(Bare(), (points[0], ends), "pybind_function_bare.onnx", opset_version=17,
                  input_names=["xyz", "offset"], output_names=["idx", "dist"])
record("pybind_function_bare.onnx", Bare(), (points[0], ends))


class KnnQuery(torch.autograd.Function):
    @staticmethod
    def forward(ctx, nsample, xyz, offset):
        return tuple(pointops.knnquery(nsample, xyz, offset, xyz, offset))

    @staticmethod
    def symbolic(g, nsample, xyz, offset):
        nsample = g.op("Constant", value_t=torch.tensor(nsample))
        return g.op("custom::knnquery", nsample, xyz, offset, outputs=2)


class Net(torch.nn.Module):
    def forward(self, xyz, offset):
        return KnnQuery.apply(4, xyz, offset)


torch.onnx.export(Net(), (points[0], ends), "pybind_function.onnx", opset_version=17, dynamic_axes={"xyz": [0], "offset": [0]},
                  input_names=["xyz", "offset"], output_names=["idx", "dist"])
record("pybind_function.onnx", Net(), (points[0], ends), (points[1], ends))

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The inputs of knnquery, which its kernels have in common.
#pragma once

#include <optional>
#include <vector>

#include "library/operator.h"

namespace onnx_lower::kernels {

// A squared distance has to be below this one.
inline constexpr float kSquaredLimit = 1e10F;

// Points, one batch behind another.
struct Cloud {
  Tensor points;
  std::vector<int64_t> ends;  // where each batch ends

  int64_t begin(size_t batch) const { return batch == 0 ? 0 : ends[batch - 1]; }
  int64_t size(size_t batch) const { return ends[batch] - begin(batch); }
};

struct NeighbourQuestion {
  int64_t samples;
  Cloud cloud;
  std::optional<Cloud> queries;  // absent: the points themselves

  const Cloud& of_queries() const { return queries ? *queries : cloud; }
};

// `samples` is the node's attribute, if it has it. Only the ends of batches and the number of
// samples are read here, and have to be in the host's memory. Throws BadInput where the inputs do
// not fit.
NeighbourQuestion read_question(const Call& call, std::optional<int64_t> samples);

// The attribute `nsample`. Throws BadInput where it is not positive.
std::optional<int64_t> samples_attribute(const Node& node);

// `kernel` makes the kernel, which is for that execution provider; null is the CPU's.
Operator knnquery(std::unique_ptr<Kernel> (*kernel)(const Node&), const char* execution_provider);

}  // namespace onnx_lower::kernels

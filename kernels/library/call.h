// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A call of a kernel for a node: its inputs, its outputs, and the runtime's threads.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "library/element_type.h"
#include "library/message.h"

namespace onnx_lower::kernels {

using Shape = std::vector<int64_t>;

int64_t element_count(const Shape& shape);
std::string to_text(const Shape& shape);

struct Tensor {
  ElementType type;
  Shape shape;
  const void* data;

  size_t rank() const { return shape.size(); }
  int64_t size() const { return element_count(shape); }
  // `T` must be the tensor's element type.
  template <typename T>
  const T* as() const {
    return static_cast<const T*>(data);
  }
};

class Call {
 public:
  explicit Call(OrtKernelContext* context) : context_(context) {}

  bool has_input(size_t index) const;
  // An input. Throws BadInput where it is absent; `name` is what the operator calls it.
  Tensor input(size_t index, std::string_view name) const;
  // An input that must have that rank, else this throws BadInput.
  Tensor input(size_t index, std::string_view name, size_t rank) const;
  // The value of an integer or boolean input with one element, which is a scalar or a list.
  int64_t integer_input(size_t index, std::string_view name) const;
  // The value of an input with one number of any type, which is a scalar or a list.
  double number_input(size_t index, std::string_view name) const;

  // The memory for the output's elements; null where the node does not have the output. `T` must be
  // the element type in the form.
  template <typename T>
  T* output(size_t index, const Shape& shape) {
    return static_cast<T*>(output_data(index, shape));
  }

  // Calls `work(begin, end)` for ranges that make up 0 … count-1, each at most `grain` long, on the
  // threads of the session. If `work` throws, this throws BadInput with the same message.
  void parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& work) const;

  void* gpu_stream() const { return context_.GetGPUComputeStream(); }

 private:
  Tensor one_element(size_t index, std::string_view name) const;
  void* output_data(size_t index, const Shape& shape);

  Ort::KernelContext context_;
};

}  // namespace onnx_lower::kernels

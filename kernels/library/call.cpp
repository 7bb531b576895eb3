// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/call.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>

namespace onnx_lower::kernels {
namespace {

struct ParallelWork {
  int64_t count, grain;
  const std::function<void(int64_t, int64_t)>& work;
  std::mutex mutex;
  // The message of the first failure. std::exception_ptr would need the libstdc++ of GCC 11.
  std::optional<std::string> failure;

  // noexcept, since exceptions must not pass through the runtime's threads.
  void go(int64_t begin) noexcept {
    try {
      work(begin, std::min(count, begin + grain));
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = error.what();
    }
  }
};

}  // namespace

int64_t element_count(const Shape& shape) {
  int64_t count = 1;
  for (int64_t dim : shape) count *= dim;
  return count;
}

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (int64_t dim : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
  return text + "]";
}

bool Call::has_input(size_t index) const {
  return index < context_.GetInputCount() && context_.GetInput(index) != nullptr;
}

Tensor Call::input(size_t index, std::string_view name) const {
  if (!has_input(index)) fail(name, " (input ", index, ") is absent");
  const Ort::ConstValue value = context_.GetInput(index);
  const Ort::TensorTypeAndShapeInfo info = value.GetTensorTypeAndShapeInfo();
  return {info.GetElementType(), info.GetShape(), value.GetTensorRawData()};
}

Tensor Call::input(size_t index, std::string_view name, size_t rank) const {
  Tensor tensor = input(index, name);
  if (tensor.rank() != rank) {
    fail(name, " (input ", index, ") has rank ", tensor.rank(), " instead of ", rank, ": its shape is ",
         to_text(tensor.shape));
  }
  return tensor;
}

Tensor Call::one_element(size_t index, std::string_view name) const {
  Tensor tensor = input(index, name);
  if (tensor.size() != 1) fail(name, " (input ", index, ") has ", tensor.size(), " elements instead of one");
  return tensor;
}

double Call::number_input(size_t index, std::string_view name) const {
  const Tensor tensor = one_element(index, name);
  double result = 0;
  with_type<float, double, Half, int32_t, int64_t>(
      tensor.type, [&]<typename T>(T) { result = static_cast<double>(widen(*tensor.as<T>())); });
  return result;
}

int64_t Call::integer_input(size_t index, std::string_view name) const {
  const Tensor tensor = one_element(index, name);
  int64_t result = 0;
  with_type<int64_t, int32_t, bool>(tensor.type, [&]<typename T>(T) { result = *tensor.as<T>(); });
  return result;
}

void* Call::output_data(size_t index, const Shape& shape) {
  if (index >= context_.GetOutputCount()) return nullptr;
  Ort::UnownedValue value = context_.GetOutput(index, shape);
  return value == nullptr ? nullptr : value.GetTensorMutableRawData();
}

void Call::parallel_for(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& work) const {
  if (count <= grain) {
    if (count > 0) work(0, count);
    return;
  }
  ParallelWork shared{.count = count, .grain = grain, .work = work, .mutex = {}, .failure = {}};
  const auto ranges = static_cast<size_t>((count + grain - 1) / grain);
  context_.ParallelFor(
      [](void* data, size_t range) {
        auto* shared = static_cast<ParallelWork*>(data);
        shared->go(static_cast<int64_t>(range) * shared->grain);
      },
      ranges, ranges, &shared);
  if (shared.failure) throw BadInput(*shared.failure);
}

}  // namespace onnx_lower::kernels

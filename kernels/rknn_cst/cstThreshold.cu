// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// rknn_cst::cstThreshold on a CUDA device, for floats: y = value where x <= threshold, else x; so
// NaN stays NaN.
#include "library/cuda_elements.cuh"
#include "library/operator.h"
#include "rknn_cst/cstThreshold.h"

namespace onnx_lower::kernels {
namespace {

template <typename T, typename Limit>
struct Replace {
  const T* x;
  T* y;
  Limit limit;
  T value;

  __device__ void operator()(int64_t i) const { y[i] = widened(x[i]) <= limit ? value : x[i]; }
};

template <typename T>
void run_on_device(Call& call, const Tensor& x, const ThresholdNumbers& numbers) {
  using D = DeviceType<T>;
  const auto limit = numbers.limit<T>(call);
  const T value = numbers.value<T>(call);
  D device_value;
  static_assert(sizeof device_value == sizeof value);
  std::memcpy(&device_value, &value, sizeof value);
  auto* y = static_cast<D*>(static_cast<void*>(call.output<T>(0, x.shape)));
  for_each_element(call, x.size(), Replace<D, std::remove_const_t<decltype(limit)>>{x.as<D>(), y, limit, device_value});
}

class ThresholdOnDevice : public Kernel {
 public:
  explicit ThresholdOnDevice(const Node& node) : numbers_(node) {}

  void run(Call& call) const override {
    const Tensor x = call.input(0, "x");
    with_type<float, double, Half>(x.type, [&]<typename T>(T) { run_on_device<T>(call, x, numbers_); });
  }

 private:
  ThresholdNumbers numbers_;
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto x = shapes.input(0)) shapes.set_output(0, *x);
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (ElementType type : {kFloat, kDouble, kHalf})
    all.push_back({.inputs = {type, kUndefined, kUndefined}, .outputs = {type}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 1,
                                                    .required_outputs = 1,
                                                    .forms = forms(),
                                                    .make = make_kernel<ThresholdOnDevice>,
                                                    .infer_shapes = infer_shapes,
                                                    .execution_provider = kCudaProvider,
                                                    .first_host_input = 1});

}  // namespace
}  // namespace onnx_lower::kernels

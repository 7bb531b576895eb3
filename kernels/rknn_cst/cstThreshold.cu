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
  Limit limit;
  T value;

  __device__ void operator()(const T (&x)[1], T (&y)[1]) const { y[0] = widened(x[0]) <= limit ? value : x[0]; }
};

template <typename T>
void run_on_device(Call& call, const Tensor& x, const ThresholdNumbers& numbers) {
  using D = DeviceType<T>;
  const Wide<T> limit = numbers.limit<T>(call);
  for_each_element<D, 1, 1>(call, x.shape, {&x.shape}, {{x.as<D>()}, {call.output<D>(0, x.shape)}},
                            Replace<D, Wide<T>>{limit, on_device(numbers.value<T>(call))});
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
    all.push_back({.inputs = {type, kUndefined, kUndefined}, .outputs = {type}, .on_host = {1, 2}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 1,
                                                    .required_outputs = 1,
                                                    .forms = forms(),
                                                    .make = make_kernel<ThresholdOnDevice>,
                                                    .infer_shapes = infer_shapes,
                                                    .execution_provider = kCudaProvider});

}  // namespace
}  // namespace onnx_lower::kernels

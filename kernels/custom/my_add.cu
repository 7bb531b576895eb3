// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// custom::my_add on a CUDA device: y = 2 * a + b, with broadcasting, rounded after each step.
#include "library/cuda_elements.cuh"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

template <typename T>
struct TwiceAndSum {
  __device__ void operator()(const T (&in)[2], T (&y)[1]) const {
    const T twice = narrowed<T>(widened(in[0]) + widened(in[0]));
    y[0] = narrowed<T>(widened(twice) + widened(in[1]));
  }
};

template <typename T>
void run_on_device(Call& call, const Tensor& a, const Tensor& b) {
  using D = DeviceType<T>;
  const Shape shape = broadcast(a.shape, b.shape, "b (input 1)");
  for_each_element<D, 2, 1>(call, shape, {&a.shape, &b.shape}, {{a.as<D>(), b.as<D>()}, {call.output<D>(0, shape)}},
                            TwiceAndSum<D>{});
}

class MyAddOnDevice : public Kernel {
 public:
  explicit MyAddOnDevice(const Node&) {}

  void run(Call& call) const override {
    const Tensor a = call.input(0, "a"), b = call.input(1, "b");
    with_type<float, double, Half, int32_t, int64_t>(a.type, [&]<typename T>(T) { run_on_device<T>(call, a, b); });
  }
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto y = broadcast(shapes.input(0), shapes.input(1))) shapes.set_output(0, *y);
}

const Registration registration(ONNX_LOWER_KERNEL,
                                {.required_inputs = 2,
                                 .required_outputs = 1,
                                 .forms = same_type_forms(2, 1, {kFloat, kDouble, kHalf, kInt32, kInt64}),
                                 .make = make_kernel<MyAddOnDevice>,
                                 .infer_shapes = infer_shapes,
                                 .execution_provider = kCudaProvider});

}  // namespace
}  // namespace onnx_lower::kernels

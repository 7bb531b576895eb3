// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// custom::my_add on a CUDA device: y = 2 * a + b, with broadcasting, rounded after each step.
#include "library/cuda_elements.cuh"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

template <typename T>
struct TwiceAndSum {
  const T *a, *b;
  T* y;
  DeviceWalk walk;

  __device__ void operator()(int64_t i) const {
    int64_t in_a, in_b;
    walk.places(i, in_a, in_b);
    const T twice = narrowed<T>(widened(a[in_a]) + widened(a[in_a]));
    y[i] = narrowed<T>(widened(twice) + widened(b[in_b]));
  }
};

template <typename T>
void run_on_device(Call& call, const Tensor& a, const Tensor& b) {
  using D = DeviceType<T>;
  const Shape shape = broadcast(a.shape, b.shape, "b (input 1)");
  auto* y = static_cast<D*>(static_cast<void*>(call.output<T>(0, shape)));
  for_each_element(call, element_count(shape),
                   TwiceAndSum<D>{a.as<D>(), b.as<D>(), y, DeviceWalk(shape, a.shape, b.shape)});
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

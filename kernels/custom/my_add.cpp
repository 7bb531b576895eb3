// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// y = 2 * a + b, with broadcasting, rounded after each step.
// Also: my_ops::my_add
#include "library/broadcast.h"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

class MyAdd : public Kernel {
 public:
  explicit MyAdd(const Node&) {}

  void run(Call& call) const override {
    const Tensor a = call.input(0, "a"), b = call.input(1, "b");
    const Shape shape = broadcast(a.shape, b.shape, "b (input 1)");
    with_type<float, double, Half, int32_t, int64_t>(a.type, [&]<typename T>(T) {
      const T *left = a.as<T>(), *right = b.as<T>();
      T* y = call.output<T>(0, shape);
      Walk<2>(shape, {&a.shape, &b.shape}).go(call, [&](const Walk<2>::Run& run) {
        for (int64_t i = 0; i < run.length; ++i) {
          const T value = left[run.first[0] + i * run.step[0]];
          y[run.begin + i] = sum(sum(value, value), right[run.first[1] + i * run.step[1]]);
        }
      });
    });
  }
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto y = broadcast(shapes.input(0), shapes.input(1))) shapes.set_output(0, *y);
}

const Registration registration(ONNX_LOWER_KERNEL,
                                {.required_inputs = 2,
                                 .required_outputs = 1,
                                 .forms = same_type_forms(2, 1, {kFloat, kDouble, kHalf, kInt32, kInt64}),
                                 .make = make_kernel<MyAdd>,
                                 .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

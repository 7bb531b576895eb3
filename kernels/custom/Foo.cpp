// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// z = x + y, with broadcasting.
// Also: test.customop::Foo, ai.onnx::Foo
#include "library/broadcast.h"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

class Foo : public Kernel {
 public:
  explicit Foo(const Node&) {}

  void run(Call& call) const override {
    const Tensor x = call.input(0, "x"), y = call.input(1, "y");
    const Shape shape = broadcast(x.shape, y.shape, "y (input 1)");
    with_type<float, double, Half, int32_t, int64_t>(x.type, [&]<typename T>(T) {
      const T *left = x.as<T>(), *right = y.as<T>();
      T* z = call.output<T>(0, shape);
      Walk<2>(shape, {&x.shape, &y.shape}).go(call, [&](const Walk<2>::Run& run) {
        for (int64_t i = 0; i < run.length; ++i)
          z[run.begin + i] = sum(left[run.first[0] + i * run.step[0]], right[run.first[1] + i * run.step[1]]);
      });
    });
  }
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto z = broadcast(shapes.input(0), shapes.input(1))) shapes.set_output(0, *z);
}

const Registration registration(ONNX_LOWER_KERNEL,
                                {.required_inputs = 2,
                                 .required_outputs = 1,
                                 .forms = same_type_forms(2, 1, {kFloat, kDouble, kHalf, kInt32, kInt64}),
                                 .make = make_kernel<Foo>,
                                 .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

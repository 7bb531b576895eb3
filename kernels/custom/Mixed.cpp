// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// y = a * c + b with broadcasting: inputs of three types, computed in that of a, and rounded to it
// after each step.
#include "library/broadcast.h"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

class Mixed : public Kernel {
 public:
  explicit Mixed(const Node&) {}

  void run(Call& call) const override {
    const Tensor a = call.input(0, "a"), b = call.input(1, "b"), c = call.input(2, "c");
    const Shape shape = broadcast(broadcast(a.shape, b.shape, "b (input 1)"), c.shape, "c (input 2)");
    const auto* summand = b.as<int64_t>();
    const auto* factor = c.as<int8_t>();
    with_type<float, double, Half>(a.type, [&]<typename T>(T) {
      const T* values = a.as<T>();
      T* y = call.output<T>(0, shape);
      Walk<3>(shape, {&a.shape, &b.shape, &c.shape}).go(call, [&](const Walk<3>::Run& run) {
        for (int64_t i = 0; i < run.length; ++i) {
          const T to_add = narrow<T>(summand[run.first[1] + i * run.step[1]]);
          const Wide<T> product =
              widen(values[run.first[0] + i * run.step[0]]) * factor[run.first[2] + i * run.step[2]];
          y[run.begin + i] = narrow<T>(widen(narrow<T>(product)) + widen(to_add));
        }
      });
    });
  }
};

void infer_shapes(ShapeInference& shapes) {
  const auto y = broadcast(broadcast(shapes.input(0), shapes.input(1)), shapes.input(2));
  if (y) shapes.set_output(0, *y);
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (ElementType type : {kFloat, kDouble, kHalf}) all.push_back({.inputs = {type, kInt64, kInt8}, .outputs = {type}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 3,
                                                    .required_outputs = 1,
                                                    .forms = forms(),
                                                    .make = make_kernel<Mixed>,
                                                    .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

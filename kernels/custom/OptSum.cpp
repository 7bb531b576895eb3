// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// y = x * w with broadcasting, not below lo nor above hi. Inputs 2 and 3, the bounds, may be
// absent, each by itself. A NaN stays one.
#include "library/broadcast.h"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

class OptSum : public Kernel {
 public:
  explicit OptSum(const Node&) {}

  void run(Call& call) const override {
    const Tensor x = call.input(0, "x"), w = call.input(1, "w");
    const Shape shape = broadcast(x.shape, w.shape, "w (input 1)");
    with_type<float, double, Half>(x.type, [&]<typename T>(T) {
      using W = Wide<T>;
      const T *left = x.as<T>(), *right = w.as<T>();
      const auto lo = bound<T>(call, 2, "lo"), hi = bound<T>(call, 3, "hi");
      T* y = call.output<T>(0, shape);
      Walk<2>(shape, {&x.shape, &w.shape}).go(call, [&](const Walk<2>::Run& run) {
        for (int64_t i = 0; i < run.length; ++i) {
          const W product = widen(left[run.first[0] + i * run.step[0]]) * widen(right[run.first[1] + i * run.step[1]]);
          W value = widen(narrow<T>(product));
          if (lo && (value < *lo || *lo != *lo)) value = *lo;
          if (hi && (value > *hi || *hi != *hi)) value = *hi;
          y[run.begin + i] = narrow<T>(value);
        }
      });
    });
  }

 private:
  template <typename T>
  static std::optional<Wide<T>> bound(const Call& call, size_t index, std::string_view name) {
    if (!call.has_input(index)) return std::nullopt;
    const Tensor tensor = call.input(index, name, 0);
    return widen(*tensor.as<T>());
  }
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto y = broadcast(shapes.input(0), shapes.input(1))) shapes.set_output(0, *y);
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 2,
                                                    .required_outputs = 1,
                                                    .forms = same_type_forms(4, 1, {kFloat, kDouble, kHalf}),
                                                    .make = make_kernel<OptSum>,
                                                    .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// rknn_cst::cstDualResidual on a CUDA device, for floats: a = x * alpha - y and b = y * alpha - x,
// with broadcasting; each product is rounded to the type of x.
#include "library/cuda_elements.cuh"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

template <typename T, typename Alpha>
struct Residuals {
  Alpha alpha;

  __device__ T residual(T one, T other) const {
    return narrowed<T>(widened(narrowed<T>(widened(one) * alpha)) - widened(other));
  }

  __device__ void operator()(const T (&in)[2], T (&out)[2]) const {
    out[0] = residual(in[0], in[1]);
    out[1] = residual(in[1], in[0]);
  }
};

class DualResidualOnDevice : public Kernel {
 public:
  explicit DualResidualOnDevice(const Node& node) : alpha_(node.number({"alpha"})) {
    if (!alpha_ && !node.has_input(2)) fail("attribute 'alpha' is missing; it may have been lost at export");
    if (alpha_ && node.has_input(2)) fail("alpha is given both as an attribute and as input 2");
  }

  void run(Call& call) const override {
    const Tensor x = call.input(0, "x"), y = call.input(1, "y");
    const double alpha = alpha_ ? *alpha_ : call.number_input(2, "alpha");
    with_type<float, double, Half>(x.type, [&]<typename T>(T) { run_on_device<T>(call, x, y, alpha); });
  }

 private:
  template <typename T>
  static void run_on_device(Call& call, const Tensor& x, const Tensor& y, double alpha) {
    using D = DeviceType<T>;
    const Shape shape = broadcast(x.shape, y.shape, "y (input 1)");
    const auto rounded_alpha = widen(narrow<T>(alpha));
    for_each_element<D, 2, 2>(call, shape, {&x.shape, &y.shape},
                              {{x.as<D>(), y.as<D>()}, {call.output<D>(0, shape), call.output<D>(1, shape)}},
                              Residuals<D, Wide<T>>{rounded_alpha});
  }

  std::optional<float> alpha_;
};

void infer_shapes(ShapeInference& shapes) {
  const auto result = broadcast(shapes.input(0), shapes.input(1));
  if (result) shapes.set_output(0, *result);
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (ElementType type : {kFloat, kDouble, kHalf})
    all.push_back({.inputs = {type, type, kUndefined}, .outputs = {type, type}, .on_host = {2}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 2,
                                                    .required_outputs = 0,
                                                    .forms = forms(),
                                                    .make = make_kernel<DualResidualOnDevice>,
                                                    .infer_shapes = infer_shapes,
                                                    .execution_provider = kCudaProvider});

}  // namespace
}  // namespace onnx_lower::kernels

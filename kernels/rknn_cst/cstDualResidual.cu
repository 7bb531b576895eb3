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
  const T *x, *y;
  T *a, *b;  // either may be null
  Alpha alpha;
  DeviceWalk walk;

  __device__ T residual(T one, T other) const {
    return narrowed<T>(widened(narrowed<T>(widened(one) * alpha)) - widened(other));
  }

  __device__ void operator()(int64_t i) const {
    int64_t in_x, in_y;
    walk.places(i, in_x, in_y);
    if (a != nullptr) a[i] = residual(x[in_x], y[in_y]);
    if (b != nullptr) b[i] = residual(y[in_y], x[in_x]);
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
    auto* a = static_cast<D*>(static_cast<void*>(call.output<T>(0, shape)));
    auto* b = static_cast<D*>(static_cast<void*>(call.output<T>(1, shape)));
    for_each_element(
        call, element_count(shape),
        Residuals<D, Wide<T>>{x.as<D>(), y.as<D>(), a, b, rounded_alpha, DeviceWalk(shape, x.shape, y.shape)});
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
    all.push_back({.inputs = {type, type, kUndefined}, .outputs = {type, type}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 2,
                                                    .required_outputs = 0,
                                                    .forms = forms(),
                                                    .make = make_kernel<DualResidualOnDevice>,
                                                    .infer_shapes = infer_shapes,
                                                    .execution_provider = kCudaProvider,
                                                    .first_host_input = 2});

}  // namespace
}  // namespace onnx_lower::kernels

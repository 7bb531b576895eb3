// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// a = x * alpha - y and b = y * alpha - x, with broadcasting; each product is rounded to the type
// of x. Of integers, the results are what the model declares: floats, or integers where alpha was
// one before it was exported. alpha is an attribute, or input 2.
#include "library/broadcast.h"
#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

class DualResidual : public Kernel {
 public:
  explicit DualResidual(const Node& node)
      : types_{node.output_type(0), node.output_type(1)}, alpha_(node.number({"alpha"})) {
    if (!alpha_ && !node.has_input(2)) fail("attribute 'alpha' is missing; it may have been lost at export");
    if (alpha_ && node.has_input(2)) fail("alpha is given both as an attribute and as input 2");
  }

  void run(Call& call) const override {
    const Tensor x = call.input(0, "x"), y = call.input(1, "y");
    const Shape shape = broadcast(x.shape, y.shape, "y (input 1)");
    with_type<float, double, Half, int8_t, int16_t, int32_t, int64_t, uint8_t, bool>(x.type, [&]<typename T>(T) {
      for (size_t output : {0, 1}) {
        const Tensor &one = output == 0 ? x : y, &other = output == 0 ? y : x;
        if constexpr (!std::is_integral_v<T>) {
          residual<T, T, T>(call, output, one, other, shape);
        } else if (types_[output] == kFloat) {
          residual<T, float, float>(call, output, one, other, shape);
        } else if (types_[output] == x.type) {
          residual<T, double, T>(call, output, one, other, shape);
        } else if (types_[output] != kUndefined) {
          fail("output ", output, " is neither declared as floats nor of the type of x (input 0)");
        }
      }
    });
  }

 private:
  // Computes one * alpha - other in C.
  template <typename T, typename C, typename Result>
  void residual(Call& call, size_t output, const Tensor& one, const Tensor& other, const Shape& shape) const {
    auto* result = call.output<Result>(output, shape);
    if (result == nullptr) return;
    const auto alpha = widen(narrow<C>(alpha_ ? *alpha_ : call.number_input(2, "alpha")));
    const T *first = one.as<T>(), *second = other.as<T>();
    Walk<2>(shape, {&one.shape, &other.shape}).go(call, [&](const Walk<2>::Run& run) {
      for (int64_t i = 0; i < run.length; ++i) {
        const auto factor = widen(static_cast<C>(first[run.first[0] + i * run.step[0]]));
        const auto subtrahend = widen(static_cast<C>(second[run.first[1] + i * run.step[1]]));
        result[run.begin + i] = converted<Result>(widen(narrow<C>(factor * alpha)) - subtrahend);
      }
    });
  }

  // Converts a result; integers wrap around.
  template <typename Result, typename Value>
  static Result converted(Value value) {
    if constexpr (std::is_integral_v<Result>) {
      return static_cast<Result>(static_cast<int64_t>(value));
    } else {
      return narrow<Result>(value);
    }
  }

  std::array<ElementType, 2> types_;
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
  for (ElementType type : {kInt8, element_type_of<int16_t>, kInt32, kInt64, element_type_of<uint8_t>, kBool}) {
    for (ElementType alpha : {kFloat, kDouble, kInt64})
      all.push_back({.inputs = {type, type, alpha}, .outputs = {kUndefined, kUndefined}});
  }
  return all;
}

// Both outputs may be absent: tools other than torch leave out outputs that are not used.
const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 2,
                                                    .required_outputs = 0,
                                                    .forms = forms(),
                                                    .make = make_kernel<DualResidual>,
                                                    .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

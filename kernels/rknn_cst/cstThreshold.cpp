// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// y = value where x <= threshold, else x; so NaN stays NaN. The two numbers are attributes, or the
// inputs 1 and 2; they are first rounded to the type of x, towards zero if that is an integer; the
// threshold of a float16 to float.
// Also: rknn_cst::cst_threshold
#include "rknn_cst/cstThreshold.h"

#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

class Threshold : public Kernel {
 public:
  explicit Threshold(const Node& node) : numbers_(node) {}

  void run(Call& call) const override {
    const Tensor x = call.input(0, "x");
    with_type<float, double, Half, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>(
        x.type, [&]<typename T>(T) {
          const auto limit = numbers_.limit<T>(call);
          const T value = numbers_.value<T>(call);
          const T* from = x.as<T>();
          T* to = call.output<T>(0, x.shape);
          call.parallel_for(x.size(), 1 << 15, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) to[i] = widen(from[i]) <= limit ? value : from[i];
          });
        });
  }

 private:
  ThresholdNumbers numbers_;
};

void infer_shapes(ShapeInference& shapes) {
  if (const auto x = shapes.input(0)) shapes.set_output(0, *x);
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (ElementType type :
       {kFloat, kDouble, kHalf, kInt8, kInt32, kInt64, element_type_of<int16_t>, element_type_of<uint8_t>,
        element_type_of<uint16_t>, element_type_of<uint32_t>, element_type_of<uint64_t>})
    all.push_back({.inputs = {type, kUndefined, kUndefined}, .outputs = {type}});
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, {.required_inputs = 1,
                                                    .required_outputs = 1,
                                                    .forms = forms(),
                                                    .make = make_kernel<Threshold>,
                                                    .infer_shapes = infer_shapes});

}  // namespace
}  // namespace onnx_lower::kernels

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The shapes of a node's inputs as far as a session knows them before any run, and those of its
// outputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "library/element_type.h"

namespace onnx_lower::kernels {

// A number, a name of the model's, or (neither) not known.
struct Dim {
  int64_t value = -1;
  std::string name;

  Dim() = default;
  Dim(int64_t number) : value(number) {}  // NOLINT: a number is a dimension

  bool is_known() const { return value >= 0; }
  bool operator==(const Dim&) const = default;
};

using Dims = std::vector<Dim>;

// The element types of one overload of an operator, by index of input and output. An input of
// undefined type takes any; an output of undefined type, which must be optional, is of the type
// that the model declares (and then no input may be undefined).
struct Form {
  std::vector<ElementType> inputs, outputs;
};

class ShapeInference {
 public:
  ShapeInference(OrtShapeInferContext* context, const std::vector<Form>& forms) : context_(context), forms_(forms) {}

  // Nothing where the input is absent, or its rank not known. A scalar is taken for an unknown
  // rank: the runtime tells both alike.
  std::optional<Dims> input(size_t index) const;
  std::optional<int64_t> integer_attribute(const char* name) const;
  // Only for outputs that the node is known to have: 1.17 aborts at others, and does not tell how
  // many there are.
  void set_output(size_t index, const Dims& dims);

 private:
  // What is known of the input; null where it is absent.
  const OrtTensorTypeAndShapeInfo* input_info(size_t index) const;
  // The form that the node's inputs fit, if any.
  const Form* form() const;

  OrtShapeInferContext* context_;
  const std::vector<Form>& forms_;
};

}  // namespace onnx_lower::kernels

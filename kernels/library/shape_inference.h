// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The shapes of a node's inputs, as far as a session knows them before any run, and the
// shapes of its outputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "library/element_type.h"

namespace onnx_lower::kernels {

// A dimension: a number, a name from the model, or neither if it is not known.
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
// undefined type accepts all types. An output of undefined type must be optional, and has the type
// that the model declares; there must be no input of undefined type then.
struct Form {
  std::vector<ElementType> inputs, outputs;
  // The inputs that are in the host's memory even if the execution provider has memory of its own.
  std::vector<size_t> on_host = {};
};

class ShapeInference {
 public:
  ShapeInference(OrtShapeInferContext* context, const std::vector<Form>& forms) : context_(context), forms_(forms) {}

  // Nothing where the input is absent or its rank is not known. The same goes for a scalar, which
  // the runtime describes like an unknown rank.
  std::optional<Dims> input(size_t index) const;
  std::optional<int64_t> integer_attribute(const char* name) const;
  // Only for outputs that the node certainly has: for others, ONNX Runtime 1.17 aborts, and it does
  // not tell how many outputs there are.
  void set_output(size_t index, const Dims& dims);

 private:
  // What is known of an input; null where it is absent.
  const OrtTensorTypeAndShapeInfo* input_info(size_t index) const;
  // The form that fits the node's inputs, or null.
  const Form* form() const;

  OrtShapeInferContext* context_;
  const std::vector<Form>& forms_;
};

}  // namespace onnx_lower::kernels

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The declaration of an operator: a file kernels/<domain>/<Op>.cpp has it,
// and registers the operator.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "library/call.h"
#include "library/node.h"
#include "library/shape_inference.h"

namespace onnx_lower::kernels {

// A session makes a kernel for each node. Several threads may run one kernel at the same time.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // Throws BadInput where the operator does not accept the inputs.
  virtual void run(Call& call) const = 0;
};

struct Operator {
  // Inputs and outputs after the first so many may be absent.
  size_t required_inputs, required_outputs;
  std::vector<Form> forms;
  // Reads the attributes. Throws BadInput where they do not suffice.
  std::function<std::unique_ptr<Kernel>(const Node& node)> make;
  // Sets the shapes of the outputs, as far as the shapes of the inputs are known.
  void (*infer_shapes)(ShapeInference& shapes);
  const char* execution_provider = nullptr;  // null: the CPU's
};

template <typename K>
std::unique_ptr<Kernel> make_kernel(const Node& node) {
  return std::make_unique<K>(node);
}

// Registers an operator for the names that its file gives it: that of the file's path, and those
// behind `Also:` in the file.
class Registration {
 public:
  // `file` is ONNX_LOWER_KERNEL, which the build defines for each file; the table of names
  // has the same text.
  Registration(std::string_view file, Operator definition);
};

// A name of an operator that a kernel is for. The default domain is "ai.onnx".
struct KernelName {
  const char *domain, *op_type;
  std::string_view file;
};

// All names, generated from the files' paths and `Also:` lines.
std::span<const KernelName> kernel_names();

struct RegisteredOperator {
  std::string_view file;
  Operator definition;
};

std::span<const RegisteredOperator> registered_operators();

// A form for each of the types, in which all inputs and outputs have that type.
std::vector<Form> same_type_forms(size_t inputs, size_t outputs, const std::vector<ElementType>& types);

}  // namespace onnx_lower::kernels

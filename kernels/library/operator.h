// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How an operator is declared: once, in the file kernels/<domain>/<Op>.cpp, which registers it by
// itself.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "library/call.h"
#include "library/node.h"
#include "library/shape_inference.h"

namespace onnx_lower::kernels {

// What a session makes for each node. Several threads may run one kernel at the same time.
class Kernel {
 public:
  virtual ~Kernel() = default;

  // Throws BadInput where the inputs are not such as the operator takes.
  virtual void run(Call& call) const = 0;
};

struct Operator {
  // The inputs and outputs behind these may be absent.
  size_t required_inputs, required_outputs;
  std::vector<Form> forms;
  // Reads the attributes; throws BadInput where they do not suffice.
  std::unique_ptr<Kernel> (*make)(const Node& node);
  // Tells the shapes of the outputs as far as those of the inputs are known.
  void (*infer_shapes)(ShapeInference& shapes);
  const char* execution_provider = nullptr;  // the CPU's
  // From this one on a provider with memory of its own gets the inputs in the host's memory.
  size_t first_host_input = SIZE_MAX;
};

template <typename K>
std::unique_ptr<Kernel> make_kernel(const Node& node) {
  return std::make_unique<K>(node);
}

// Registers an operator for the names under which its file serves it: the file's path, and those
// behind `Also:` in it.
class Registration {
 public:
  // `file` is ONNX_LOWER_KERNEL, by which the table of names knows the file that is compiled.
  Registration(std::string_view file, Operator definition);
};

// A name under which a kernel is found; the default domain is "ai.onnx".
struct KernelName {
  const char *domain, *op_type;
  std::string_view file;
};

// All of them; generated from the files' paths and `Also:` lines.
std::span<const KernelName> kernel_names();

struct RegisteredOperator {
  std::string_view file;
  Operator definition;
};

std::span<const RegisteredOperator> registered_operators();

// A form for each of the types, with all inputs and outputs of that type.
std::vector<Form> same_type_forms(size_t inputs, size_t outputs, const std::vector<ElementType>& types);

}  // namespace onnx_lower::kernels

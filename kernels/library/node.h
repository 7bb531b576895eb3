// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a kernel is made from: the name and the attributes of a node.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "library/element_type.h"

namespace onnx_lower::kernels {

class Node {
 public:
  explicit Node(const OrtKernelInfo* info) : info_(info) {}

  std::string name() const;
  bool has_input(size_t index) const;
  // The type of an output; undefined if the node does not have the output.
  ElementType output_type(size_t index) const;

  // Reads attributes by the first of the names that the node has. Each name may also have a suffix
  // (`_f`, `_i`) that some exporters leave on it. A list may be a single number, and a float may be
  // an integer. Throws BadInput where the node has two of the names.
  std::optional<float> number(std::initializer_list<const char*> names) const;
  std::optional<std::vector<float>> numbers(std::initializer_list<const char*> names) const;
  std::optional<int64_t> integer(std::initializer_list<const char*> names) const;
  std::optional<std::vector<int64_t>> integers(std::initializer_list<const char*> names) const;

 private:
  const OrtKernelInfo* info_;
};

}  // namespace onnx_lower::kernels

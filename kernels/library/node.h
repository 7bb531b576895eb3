// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A node as its kernel is made: its name and attributes.
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
  // Of an output that the node has; undefined where it has not.
  ElementType output_type(size_t index) const;

  // Attributes, under the first of the names that the node has, each also with the suffix (`_f`,
  // `_i`) that some exporters leave on it. A list may be a single number, and a float an integer.
  // Throws BadInput where two of the names are given.
  std::optional<float> number(std::initializer_list<const char*> names) const;
  std::optional<std::vector<float>> numbers(std::initializer_list<const char*> names) const;
  std::optional<int64_t> integer(std::initializer_list<const char*> names) const;
  std::optional<std::vector<int64_t>> integers(std::initializer_list<const char*> names) const;

 private:
  const OrtKernelInfo* info_;
};

}  // namespace onnx_lower::kernels

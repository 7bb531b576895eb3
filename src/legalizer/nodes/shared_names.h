// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The names that several graphs of a model give to different values or nodes.
#pragma once

#include <string_view>
#include <unordered_set>

#include "model_file/model.h"

namespace onnx_lower {

// Tells which names would clash if the nodes of several graphs came to stand in one.
class SharedNames {
 public:
  explicit SharedNames(const Model& model);

  bool has_value(ValueId value) const { return values_.contains(value); }
  bool has_node(std::string_view name) const { return nodes_.contains(name); }

 private:
  std::unordered_set<ValueId> values_;  // that several graphs define
  std::unordered_set<std::string_view> nodes_;
};

}  // namespace onnx_lower

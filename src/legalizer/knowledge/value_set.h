// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A set of a model's values that is emptied at no cost. It serves questions about a few values that
// are asked after each of a hundred thousand nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model_file/value_id.h"

namespace onnx_lower {

class ValueSet {
 public:
  // Empties the set. `values`: how many values the model has; later ones cannot be inserted.
  void clear(size_t values) {
    if (inserted_in_.size() < values) inserted_in_.resize(values);
    if (++round_ != 0) return;
    std::ranges::fill(inserted_in_, 0);
    round_ = 1;
  }
  void insert(ValueId value) { inserted_in_[value] = round_; }
  void erase(ValueId value) { inserted_in_[value] = 0; }
  bool contains(ValueId value) const { return inserted_in_[value] == round_; }

 private:
  std::vector<uint32_t> inserted_in_;  // by ValueId: the round of its last insertion
  uint32_t round_ = 0;
};

}  // namespace onnx_lower

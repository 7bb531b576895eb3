// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Limits how many nodes the lowering of a model makes.
#pragma once

#include <fmt/format.h>

#include <cstddef>

#include "error.h"
#include "model_file/model.h"

namespace onnx_lower {

// Counts the nodes that rules and functions make, and ends the run where they become too many: ten
// functions that each call the next one ten times would make more than any machine holds.
class NodesMade {
 public:
  explicit NodesMade(const Model& model) : model_(model), most_(200'000 + 1'000 * model.node_count()) {}

  size_t most() const { return most_; }
  size_t count() const { return count_; }
  void take_back(size_t count) { count_ = count; }
  void add_one() {
    expect(1);
    ++count_;
  }
  // To be called before that many more nodes are made. Throws InvalidInput when these would
  // be too many.
  void expect(size_t count) const {
    if (count_ + count > most_) fail();
  }
  [[noreturn]] void fail() const {
    throw InvalidInput(fmt::format("{}: its functions and the rules make more than {} nodes, far more than it has",
                                   model_.input().path(), most_));
  }

 private:
  const Model& model_;
  size_t most_;
  size_t count_ = 0;
};

}  // namespace onnx_lower

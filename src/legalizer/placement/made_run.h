// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What rules made of a node of the model, kept as a run: a model with a hundred thousand of them
// becomes one with millions of nodes, of which hardly any is looked at again.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

class MadeRun {
 public:
  // So many nodes may be one run.
  static constexpr size_t longest = std::numeric_limits<decltype(Node::run_length)>::max();

  // Before the node is lowered. All must outlive this.
  MadeRun(Legalization& all, GraphScope& scope) : MadeRun(all, scope, all.model.fields().mark()) {}
  // The same for a node that was made itself: `fields` is from before that.
  MadeRun(Legalization& all, GraphScope& scope, Arena::Mark fields);

  // The nodes that took the place of `node` become a run, if only what that one made can be asked
  // for, and nobody wants to see them one by one. Where it has kept its place, what was made
  // meanwhile is forgotten.
  void settle(const Node& node, TypeInference& types);
  // The same of a node that was made itself, in a trial that may still fail: what took its place
  // becomes a run or stays as it is.
  void settle_made(const Node& node, TypeInference& types);

 private:
  bool joins(const Node& node, TypeInference& types) const;
  void join(const Node& node, TypeInference& types);
  void forget_values();
  bool may_forget(const Node& node) const;
  bool notes_what_was_made() const;
  bool may_join(const Node& node) const;
  bool may_hold_all() const;
  bool may_hold_raw_tensor(size_t index, uint64_t raw_types) const;
  bool means_the_same(const Node& made, OpsetContext opsets) const;
  bool look_at_values() const;
  Bytes joined_wire() const;
  std::span<const Node* const> nodes() const { return std::span(scope_.placed()).subspan(placed_); }

  Legalization& all_;
  GraphScope& scope_;
  const size_t placed_;
  const size_t initializers_;
  const size_t lists_;
  const size_t released_;
  const size_t constants_;
  const FreshNames::Mark names_;
  const Arena::Mark made_;
  const Arena::Mark fields_;
};

}  // namespace onnx_lower

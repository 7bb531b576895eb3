// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nodes that rules made of one node of the model, kept as a run: as bytes, of which only the
// inputs and the output are known. A model with a hundred thousand custom nodes becomes one with
// millions of nodes, of which hardly any is looked at again.
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
  // How many nodes one run can hold.
  static constexpr size_t longest = std::numeric_limits<decltype(Node::run_length)>::max();

  // To be made before the node is lowered. The arguments must outlive this.
  MadeRun(Legalization& all, GraphScope& scope) : MadeRun(all, scope, all.model.fields().mark()) {}
  // The same for a node that a rule made: `fields` is the mark of the model's fields from before
  // the node was made.
  MadeRun(Legalization& all, GraphScope& scope, Arena::Mark fields);

  // To be called when the node of the model is placed. The nodes that took its place become a run,
  // if nobody can ask for the values between them, nor wants to see the nodes one by one. Where the
  // node has kept its place, what was made meanwhile is forgotten.
  void settle(const Node& node, TypeInference& types);
  // The same for a node that a rule made, in a trial that may still fail: the nodes that took its
  // place become a run, or stay as they are.
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
  const size_t refused_if_read_;
  const size_t released_;
  const size_t constants_;
  const FreshNames::Mark names_;
  const Arena::Mark made_;
  const Arena::Mark fields_;
};

}  // namespace onnx_lower

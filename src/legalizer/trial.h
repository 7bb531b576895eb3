// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A candidate rule is tried on a node: what that did is undone, unless it is said to stay.
#pragma once

#include <cstddef>

#include "legalizer/graph_scope.h"
#include "legalizer/legalization.h"
#include "legalizer/origin.h"
#include "types/type_inference.h"

namespace onnx_lower {

class Trial {
 public:
  // All must outlive the trial.
  Trial(Legalization& all, GraphScope& scope, TypeInference& types, Findings& findings);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial();

  void commit() { committed_ = true; }
  // Everything stays but the nodes, and their names.
  void commit_without_nodes();

 private:
  void take_nodes_back();

  Legalization& all_;
  GraphScope& scope_;
  TypeInference& types_;
  Findings& findings_;
  const Legalization::Mark before_;
  const size_t names_;
  const size_t placed_;
  const size_t initializers_;
  const Findings found_before_;
  bool committed_ = false;
};

}  // namespace onnx_lower

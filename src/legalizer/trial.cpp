// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/trial.h"

namespace onnx_lower {

Trial::Trial(Legalization& all, GraphScope& scope, TypeInference& types, Findings& findings)
    : all_(all),
      scope_(scope),
      types_(types),
      findings_(findings),
      before_(all.mark()),
      names_(all.names.mark()),
      placed_(scope.placed().size()),
      initializers_(scope.added_initializers().size()),
      found_before_(findings) {}

Trial::~Trial() {
  if (committed_) return;
  take_nodes_back();
  all_.give_back(before_);
  findings_ = found_before_;
}

void Trial::commit_without_nodes() {
  take_nodes_back();
  committed_ = true;
}

void Trial::take_nodes_back() {
  for (size_t index = placed_; index < scope_.placed().size(); ++index) {
    for (const ValueId output : scope_.placed()[index]->outputs()) types_.forget(scope_, output);
  }
  scope_.take_back(placed_);
  for (size_t index = initializers_; index < scope_.added_initializers().size(); ++index)
    types_.forget(scope_, scope_.added_initializers()[index].value);
  scope_.take_back_initializers(initializers_);
  all_.names.give_back(names_);
}

}  // namespace onnx_lower

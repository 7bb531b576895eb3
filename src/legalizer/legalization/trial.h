// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A trial of a candidate on a node: what it did is undone at the end, unless it is committed.
#pragma once

#include <cstddef>

#include "legalizer/body/origin.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

class Trial {
 public:
  // All arguments must outlive the trial.
  Trial(Legalization& all, GraphScope& scope, TypeInference& types, Findings& findings)
      : all_(all), scope_(scope), types_(types), findings_(findings) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    if (committed_) return;
    take_nodes_back();
    all_.nodes_made.take_back(before_.nodes_made);
    all_.settings.give_back(before_.settings);
    all_.left_over.bypassed.resize(before_.bypassed);
    std::vector<RefusedIfRead>& refused = all_.left_over.refused_if_read;
    refused.erase(refused.begin() + static_cast<std::ptrdiff_t>(before_.refused_if_read), refused.end());
    all_.result.densified_initializers = before_.densified_initializers;
    all_.result.folded.resize(before_.folded);
    findings_ = found_before_;
  }

  void commit() { committed_ = true; }
  // Keeps everything but the nodes and their names.
  void commit_without_nodes() {
    take_nodes_back();
    committed_ = true;
  }

 private:
  void take_nodes_back() {
    for (size_t index = placed_; index < scope_.placed().size(); ++index) {
      for (const ValueId output : scope_.placed()[index]->outputs()) types_.forget(scope_, output);
    }
    scope_.take_back(placed_);
    for (size_t index = initializers_; index < scope_.added_initializers().size(); ++index)
      types_.forget(scope_, scope_.added_initializers()[index].value);
    scope_.take_back_initializers(initializers_);
    all_.names.give_back(names_);
  }

  Legalization& all_;
  GraphScope& scope_;
  TypeInference& types_;
  Findings& findings_;
  const Findings found_before_ = findings_;
  // How much there was of each thing when the trial began.
  struct Counts {
    size_t nodes_made;
    size_t settings;
    size_t bypassed;
    size_t refused_if_read;
    size_t densified_initializers;
    size_t folded;
  };
  const Counts before_{all_.nodes_made.count(),
                       all_.settings.mark(),
                       all_.left_over.bypassed.size(),
                       all_.left_over.refused_if_read.size(),
                       all_.result.densified_initializers,
                       all_.result.folded.size()};
  const FreshNames::Mark names_ = all_.names.now();
  const size_t placed_ = scope_.placed().size();
  const size_t initializers_ = scope_.added_initializers().size();
  bool committed_ = false;
};

}  // namespace onnx_lower

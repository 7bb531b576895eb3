// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// One model on its way from what was read to what is to be written.
#pragma once

#include <optional>

#include "check/check_model.h"
#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

struct LoweredModel {
  Model model;
  bool has_moved_nodes = false;  // see node_order.h
  ComparedVersions compared;     // what check_model() returned of the model as it was read
  LegalizeResult result;         // its views point into the model
};

// Checks that the model is valid, and moves nodes that stand before those whose values they use
// behind them. Throws InvalidInput.
LoweredModel checked(Model model);

// Legalizes the model. Where that leaves nodes, it is read and legalized once more with what may
// help: folding, where a target wants shapes; and for a target the opset at which all nodes can be
// lowered, which the result's warnings tell. Where nodes became many, a newer opset that its
// targets take is tried as well (newer_opset.h). Throws what legalize() throws.
void lower(LoweredModel& lowered, RuleLibrary& library, const LegalizeOptions& options);

// The model of `before` read and legalized once more, with these options; nullopt where that fails,
// or memory does not suffice for it beside what is there.
std::optional<LoweredModel> legalized_again(const LoweredModel& before, RuleLibrary& library,
                                            const LegalizeOptions& options);

}  // namespace onnx_lower

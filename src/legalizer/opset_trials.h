// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What only a trial tells of the opset of the written model: for it the model is read and legalized
// once more.
#pragma once

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// The opset of a model for a runtime that takes newer nodes than rules may make: the options with
// `is_lowered` where a target tells the opsets of lowered models, that of the model is none of
// them, and something has to be lowered.
LegalizeOptions with_opset_of_lowered(const Model& model, RuleLibrary& library, LegalizeOptions options);

// Whether the opset that a refusal advises leads to a model: an operator that lacks for one node
// may exist at an opset where another node's does not. Tries the advised opset, and those that are
// advised there: the advice becomes one that lets all nodes be lowered but those for which no opset
// would do, or goes. `model` is the one that the result is of.
void settle_opset_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                         LegalizeResult& result);

}  // namespace onnx_lower

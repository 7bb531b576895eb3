// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether the opset that a refusal advises leads to a model.
#pragma once

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// An operator that lacks for one node may exist at an opset where another node's does not. Legalizes the model once more at the advised opset, and at those that are advised there: the advice
// becomes one that lets all nodes be lowered but those for which no opset would do, or goes. `model` is the one that the result is of.
void settle_opset_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                         LegalizeResult& result);

}  // namespace onnx_lower

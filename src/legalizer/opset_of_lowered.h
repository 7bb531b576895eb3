// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The opset of a model for a runtime that takes newer nodes than rules may make.
#pragma once

#include "legalizer/legalize_options.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// The options with `is_lowered` where a target tells the opsets of lowered models, that of the model is none of them, and something has to be lowered. Only a
// trial tells that, for which the model is read again.
LegalizeOptions with_opset_of_lowered(const Model& model, RuleLibrary& library, LegalizeOptions options);

}  // namespace onnx_lower

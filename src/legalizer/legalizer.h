// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Replaces every illegal node by the body of a rule that fits, until every node is legal or the
// nodes that are not can be named.
#pragma once

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

// Legalizes the model in place. Legal are the operators of ai.onnx and ai.onnx.ml at the versions
// that the model imports, and the nodes that the options keep. Nodes that no rule lowers stay as
// they are and are listed in the result. The model's own functions are rules; those that nothing
// calls any more are dropped.
// Throws InvalidInput when a rule of the user or a function of the model expands to itself.
LegalizeResult legalize(Model& model, RuleLibrary& library, const LegalizeOptions& options);

}  // namespace onnx_lower

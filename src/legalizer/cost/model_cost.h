// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a model costs: its nodes, its weights, its multiplications.
#pragma once

#include "legalizer/legalization/legalization.h"
#include "legalizer/legalize_result.h"

namespace onnx_lower {

// `written` and `own`: see ScopeSources; before anything is lowered both are the opsets that the
// model imports.
ModelCost cost_of(Legalization& all, OpsetContext written, OpsetContext own);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which values of a model follow from its inputs, and how exactly.
#pragma once

#include <unordered_set>

#include "model_file/model.h"
#include "verify/graph_uses.h"

namespace onnx_lower {

// The values of the main graph that depend on random numbers, which a model draws anew in each run.
std::unordered_set<ValueId> undetermined_values(const Model& model, const GraphUses& uses);

// Whether a value's integers are codes of quantized numbers, which some node has rounded to.
bool holds_codes(const Model& model, const GraphUses& uses, ValueId value);

}  // namespace onnx_lower

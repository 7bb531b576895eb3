// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a graph declares of its values, brought up to date after its last node.
#pragma once

#include "legalizer/body/origin.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

// `origin`: on whose behalf the graph's nodes were placed.
void settle_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all,
                         const Origin& origin);

}  // namespace onnx_lower

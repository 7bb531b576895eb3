// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Brings the declarations of a graph's values up to date after its last node: types that
// are missing are added, wrong ones corrected, and the shapes that a runtime or the user
// wants are declared.
#pragma once

#include "legalizer/body/origin.h"
#include "legalizer/legalization/legalization.h"
#include "legalizer/scope/graph_scope.h"
#include "types/type_inference.h"

namespace onnx_lower {

// `origin`: on whose behalf the graph's nodes were placed. Throws Error (not_lowered) where a
// target wants a shape declared that is not known.
void settle_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all,
                         const Origin& origin);

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What a graph declares of its values, brought up to date after its last node.
#pragma once

#include "legalizer/graph_scope.h"
#include "legalizer/legalization.h"
#include "types/type_inference.h"

namespace onnx_lower {

// Exporters leave out the type of what a custom node makes. Of an output of the main graph readers want one, and now it can be known. In a subgraph they want
// none; but an element type "undefined" they refuse, and onnx's shape inference an empty type. Of the inputs of a Loop's body, ONNX Runtime wants to read that
// the first two are scalars, and OpenVINO the element types of the others; of a Scan's OpenVINO the shapes, too, and of a SequenceMap's inputs and outputs ONNX
// Runtime the element types: a function says no types, and runtimes infer them where they inline it.
void complete_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all);

// Takes out what is declared of values and contradicts what was inferred: a value_info goes, a graph output gets the inferred type. Compared are the types that
// somebody has asked for, and the element types of what rules made.
void correct_declarations(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all);

// Whether the graph's shapes are to be declared: those of its outputs, and of a subgraph's inputs, where a runtime wants them; and where the user fixed those of
// the model's inputs, of all that the main graph's nodes make.
bool declares_shapes(const Graph& graph, const Legalization& all);
// Writes them, as far as they can be inferred.
void declare_shapes(Graph& graph, const GraphScope& scope, TypeInference& types, Legalization& all);

}  // namespace onnx_lower

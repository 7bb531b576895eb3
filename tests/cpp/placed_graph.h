// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A graph as the legalizer sees it, for tests of what it knows of values.
#pragma once

#include <string>
#include <string_view>

#include "legalizer/knowledge/opset_contexts.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/read_model.h"
#include "temporary_folder.h"

namespace onnx_lower {

// The main graph of a model with all of its nodes placed.
struct PlacedGraph {
  explicit PlacedGraph(const std::string& graph)
      : model(read_model(
            folder.write("model.onnxtxt", "<ir_version: 10, opset_import: [\"\" : 21, \"custom\" : 1]> " + graph))),
        contexts(model.opset_imports),
        own(contexts.intern(model.opset_imports)),
        scope(sources, model.graph, nullptr, nullptr) {
    for_each_node(model.graph, [this](const Node& node) {
      if (!node.outputs().empty()) scope.nodes().place(node);
    });
  }

  ValueId value(std::string_view name) const { return scope.value_of(name); }

  TemporaryFolder folder{"placed_graph"};
  Model model;
  OpsetContexts contexts;
  OpsetContext own;
  OperatorFactsTable facts{model, contexts};
  ModelFunctions functions{model};
  ValueTables tables;
  ScopeSources sources{model, facts, functions, tables, own, own};
  GraphScope scope;
};

}  // namespace onnx_lower

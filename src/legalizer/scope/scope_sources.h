// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the scopes of a model have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "legalizer/knowledge/model_functions.h"
#include "legalizer/knowledge/operator_facts.h"
#include "legalizer/knowledge/value_set.h"
#include "model_file/model.h"

namespace onnx_lower {

// The nodes that are placed in a graph, and the element type of the first output of each as
// it was placed.
struct NodeList {
  std::vector<const Node*> nodes;
  std::vector<int8_t> types;
};

// Tables by ValueId that all scopes of a model share. An entry is valid for the scopes that are
// open, which are those of the graph that is being legalized and of the graphs around it.
struct ValueTables {
  static constexpr int8_t not_asked = -1;

  // The index (see PlacedNodes::at()) of the node that makes the value, in the scope that placed
  // such a node last. The entry is valid for a scope only if its node of that index has the value
  // as an output. At no time do two open scopes make a value of the same name.
  std::vector<uint32_t> makers;
  // The DataType of a value that `makers` knows: 0 when it cannot be told, or `not_asked`.
  std::vector<int8_t> element_types;
  // A set for functions that look at one node after another: the values that these read.
  ValueSet used;
  // Of the run that is being made (see made_run.h): the values that its nodes read from outside,
  // and which of its new values have been made. They stand here so that their memory serves one
  // node after another.
  std::vector<ValueId> read_by_run;
  std::vector<char> made_in_run;

  // How many questions were asked about what nodes make or read a value, or what can be computed of
  // it: bytes_of_call() (declined_calls.h) does not tell the answers to these.
  size_t asked_beyond_calls = 0;

  // Lists of graphs that are legalized: their memory serves one small graph after another.
  std::vector<NodeList> spare_lists;

  void fit(size_t values) {
    if (makers.size() >= values) return;
    makers.resize(values);
    element_types.resize(values);
  }
};

// What the scopes of one destination (the main graph, a function) have in common. `written`: the
// opsets that it imports. `own`: those for which its nodes are written as they are read.
struct ScopeSources {
  Model& model;
  OperatorFactsTable& facts;
  ModelFunctions& functions;
  ValueTables& tables;
  OpsetContext written;
  OpsetContext own;
};

}  // namespace onnx_lower

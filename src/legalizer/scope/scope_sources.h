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

// The nodes that are placed in a graph, and the element type of the first output of each, as it was
// placed.
struct NodeList {
  std::vector<const Node*> nodes;
  std::vector<int8_t> types;
};

// Dense tables by ValueId, for all scopes of a model: their entries are good for those that are
// open.
struct ValueTables {
  static constexpr int8_t not_asked = -1;

  // The index of the node that makes the value, in the scope that placed it last, see
  // PlacedNodes::at(); what it says holds for a scope only if its node of that index does have the
  // output. At no time do two open scopes make a value of the same name.
  std::vector<uint32_t> makers;
  // Of a value that `makers` knows: DataType, 0 when it cannot be told, or `not_asked`.
  std::vector<int8_t> element_types;
  // What the nodes read that a function which looks at one after another has seen.
  ValueSet used;
  // Of the run that is being made, see made_run.h: the values that its nodes read from outside, and
  // which of those that are new have been made. They are here so that their memory serves one node
  // after another.
  std::vector<ValueId> read_by_run;
  std::vector<char> made_in_run;

  // How often it was asked what nodes make or read a value, or what can be computed of it: more
  // than declined_calls.h knows of a call.
  size_t asked_beyond_calls = 0;

  // Of graphs that are legalized: their memory serves one small graph after another.
  std::vector<NodeList> spare_lists;

  void fit(size_t values) {
    if (makers.size() >= values) return;
    makers.resize(values);
    element_types.resize(values);
  }
};

// What the scopes of one destination (the main graph, a function) have in common: `written` are the
// versions that it imports, `own` those that its nodes mean as they are read.
struct ScopeSources {
  Model& model;
  OperatorFactsTable& facts;
  ModelFunctions& functions;
  ValueTables& tables;
  OpsetContext written;
  OpsetContext own;
};

}  // namespace onnx_lower

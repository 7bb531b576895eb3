// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the legalization of all graphs of a model shares.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

#include "error.h"
#include "legalizer/attribute_settings.h"
#include "legalizer/branch.h"
#include "legalizer/call_types.h"
#include "legalizer/fresh_names.h"
#include "legalizer/graph_scope.h"
#include "legalizer/ir_version.h"
#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "legalizer/model_functions.h"
#include "legalizer/operator_facts.h"
#include "legalizer/opset_contexts.h"
#include "legalizer/readers.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

struct Legalization {
  Model& model;
  RuleLibrary& library;
  const LegalizeOptions& options;
  OpsetContexts contexts;
  // Of the written model; it may become a higher one where that is needed to hold it.
  int64_t ir_version = wanted_ir_version(model, options);
  ModelFunctions functions{model};
  CallTypes call_types{model, functions};
  OperatorFactsTable facts{model, contexts};
  ValueTables values{};
  Readers readers{model};
  FreshNames names{model};
  AttributeSettings settings{options.settings};
  InferredCalls inferred_calls{};
  LegalizeResult result{};
  size_t nodes_made = 0;
  // Of the run that is being made, see made_run.h: the values that its nodes read from outside, and which of those that are new have been made. They are here so
  // that their memory serves one node after another.
  std::vector<ValueId> read_by_run{};
  std::vector<char> made_in_run{};
  // Ten functions of ten calls each, one inside the other, would be more nodes than any machine holds.
  size_t most_nodes_made = 200'000 + 1'000 * model.node_count();
  std::vector<ValueId> taken_lists{};                // lists whose tensors rules took one by one
  std::vector<ValueId> released{};                   // values that folded nodes read
  std::unordered_set<const Node*> made_constants{};  // that folded nodes became
  std::optional<SharedNames> shared_names{};         // made when first asked for

  // What grows while a rule is tried, and is as it was before once give_back() gets the mark. Names go with the nodes that have them, see Trial.
  struct Mark {
    size_t nodes_made;
    size_t settings;
    size_t taken_lists;
    size_t densified_initializers;
    size_t folded;
  };
  Mark mark() const {
    return {nodes_made, settings.mark(), taken_lists.size(), result.densified_initializers, result.folded.size()};
  }
  void give_back(const Mark& mark) {
    nodes_made = mark.nodes_made;
    settings.give_back(mark.settings);
    taken_lists.resize(mark.taken_lists);
    result.densified_initializers = mark.densified_initializers;
    result.folded.resize(mark.folded);
  }

  // Whether functions of the model may stay, with the nodes that call them.
  bool keeps_calls() const { return !model.functions.empty() && !(options.kept.empty() && options.targets.empty()); }

  // More nodes are to be made.
  void expect_nodes(size_t count) const {
    if (nodes_made + count > most_nodes_made) fail_too_many_nodes();
  }
  [[noreturn]] void fail_too_many_nodes() const {
    throw InvalidInput(fmt::format("{}: its functions and the rules make more than {} nodes, far more than it has",
                                   model.input().path(), most_nodes_made));
  }
};

}  // namespace onnx_lower

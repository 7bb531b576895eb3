// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the legalization of all graphs of a model shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "legalizer/knowledge/model_functions.h"
#include "legalizer/knowledge/operator_facts.h"
#include "legalizer/knowledge/opset_contexts.h"
#include "legalizer/knowledge/readers.h"
#include "legalizer/legalization/attribute_settings.h"
#include "legalizer/legalization/call_types.h"
#include "legalizer/legalization/calls_to_check.h"
#include "legalizer/legalization/nodes_made.h"
#include "legalizer/legalization/tries.h"
#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "legalizer/nodes/fresh_names.h"
#include "legalizer/nodes/shared_names.h"
#include "legalizer/scope/graph_scope.h"
#include "model_file/model.h"
#include "rules/rule_library.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {

// What is known of a model's operators, functions and values, whatever graph they stand in.
struct ModelKnowledge {
  ModelKnowledge(Model& model, std::span<const OpsetImport> opsets)
      : contexts(opsets), functions(model), call_types(model, functions), facts(model, contexts), readers(model) {}

  OpsetContexts contexts;
  ModelFunctions functions;
  CallTypes call_types;
  OperatorFactsTable facts;
  ValueTables values;
  Readers readers;
  InferredCalls inferred_calls;
};

// A node that makes a list or a constant, and that the target lacks. It is placed nevertheless: the
// rules of the nodes behind it may take the list's tensors from its inputs, or the constant's
// elements, so that nothing needs the node any more.
struct RefusedIfRead {
  const Node* node;
  UnloweredNode refused;  // what is told of it if it is needed
};

// Values that may have lost their last reader while nodes were lowered; drop_left_over.h looks at
// them when all are.
struct LeftOver {
  explicit LeftOver(const Model& model) {
    for (OperatorId op = 0; op < model.operator_count() && !has_constant_nodes; ++op)
      has_constant_nodes = role_of(model.op(op).op_type) == OperatorRole::constant;
  }

  // Whether the model had Constant nodes when it was read. Those that rules make are dropped
  // together with their readers.
  bool has_constant_nodes = false;
  // Lists whose tensors rules took one by one, and results of Casts whose inputs rules took.
  std::vector<ValueId> bypassed;
  std::vector<RefusedIfRead> refused_if_read;
  // The values that folded nodes read, and constants that lowered nodes read.
  std::vector<ValueId> released;
  std::unordered_set<const Node*> made_constants;  // nodes that --fold made
};

struct Legalization {
  // `opsets` is what the written model imports, and `wanted_ir_version` its IR version. All
  // arguments must outlive this.
  Legalization(Model& of, RuleLibrary& rules, const LegalizeOptions& wanted, std::span<const OpsetImport> opsets,
               int64_t wanted_ir_version)
      : model(of),
        library(rules),
        options(wanted),
        ir_version(wanted_ir_version),
        known(of, opsets),
        names(of),
        settings(wanted.settings),
        nodes_made(of),
        calls_to_check(of, rules),
        left_over(of) {}

  Model& model;
  RuleLibrary& library;
  const LegalizeOptions& options;
  // The IR version of the written model; a higher one is written where the model needs it.
  int64_t ir_version;
  ModelKnowledge known;
  FreshNames names;
  AttributeSettings settings;
  NodesMade nodes_made;
  Tries tries{nodes_made};
  CallsToCheck calls_to_check;
  LeftOver left_over;
  std::optional<SharedNames> shared_names;  // made when first asked for
  LegalizeResult result;
  std::unordered_map<std::string, uint32_t> rewrite_kinds;  // by key, where LegalizeResult has them
  // The initializers that were derived from constants of the model, by their TensorProto without a
  // name.
  std::unordered_map<std::string, ValueId> derived_initializers;
  // Of how many nodes may still be inferred what they make, for what reports show.
  size_t nodes_to_show_types_of = 20'000;

  // Whether functions of the model may stay, together with the nodes that call them.
  bool keeps_calls() const { return !model.functions.empty() && !(options.kept.empty() && options.targets.empty()); }
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the legalizer did and what it could not do, for the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

// Why a rule did not apply to a node.
struct Refusal {
  std::string rule;  // "rknn_cst::cstThreshold"
  // "rules/rknn_cst/cstThreshold.onnxtxt:4", "native rule", "the model's function"
  std::string where_from;
  std::string reason;                           // a clause: "attribute 'threshold' is missing"
  std::vector<std::string> missing_attributes;  // that --set could give
  // why a node of the rule's body could not be lowered
  std::vector<Refusal> causes;
  // the form takes other inputs or attributes than the node has
  bool is_of_signature = false;
  bool is_of_target = false;  // a runtime does not take the node as it is
  bool ends_search = false;   // more rules would have been tried, but for a limit
  // the smallest --target-opset that has the node of the body; 0 when none is known
  int target_opset_hint = 0;
};

inline Refusal refusal_of(std::string reason) {
  Refusal refusal;
  refusal.reason = std::move(reason);
  return refusal;
}

// Views are into the model, or into the rule library: the result must not outlive them.
struct LoweredNode {
  std::string_view node;  // its name, or its first output where it has none
  std::string_view domain;
  std::string_view op_type;
  std::string_view where_from;  // of the rule
  size_t nodes_made = 0;
  // what a native rule proved or took for granted, in its words; mostly empty
  std::string_view note = {};
  // the node stayed, with a model-local function of `nodes_made` nodes
  bool attached = false;
  std::string_view assumption = {};  // what nothing in the model proves; mostly empty
};

// A node whose place something known before the model runs has taken.
struct FoldedNode {
  enum class Into : uint8_t {
    constant,     // what it makes
    then_branch,  // of an If
    else_branch,
    nothing,  // only nodes that were folded or lowered read what it makes
  };
  std::string_view node;  // its name, or its first output where it has none
  std::string_view domain;
  std::string_view op_type;
  Into into = Into::constant;
};

struct UnloweredNode {
  std::string node;  // its name, or its first output where it has none
  std::string domain;
  std::string op_type;
  std::vector<Refusal> refusals;               // none: there is no rule for the operator
  std::vector<std::string> similar_operators;  // that have a rule, when there is none for this one
  // The smallest --target-opset at which the node's rules would do; 0 when none is known.
  int target_opset_hint = 0;
};

// A declaration of a value's type that is not what was inferred; both as ONNX's textual syntax
// writes types.
struct Contradiction {
  std::string value;
  std::string declared;
  std::string inferred;
};

// A node that stays, and comes out wrong in a target.
struct DoubtfulNode {
  std::string node;  // its name, or its first output where it has none
  std::string op;
  std::string target;
  std::string reason;  // a clause
};

// Inputs, outputs and initializers of a type that a target computes as float.
struct ComputedAsFloat {
  std::string target;
  std::string element_type;
  std::string value;  // the first of them
  size_t values = 0;
};

// What the user had better look at.
struct Warnings {
  std::vector<Contradiction> contradictions;
  std::vector<DoubtfulNode> doubtful;
  std::vector<ComputedAsFloat> computed_as_float;
  // The model's own ones of operators that runtimes know, which were taken.
  std::vector<std::string> functions_beside_kernels;
};

// What the user asked for, and no node was a case of.
struct Unused {
  std::vector<std::string> settings;     // as the user gave them
  std::vector<std::string> attachments;  // patterns that fit no node that could be lowered
  // --target-opset asks for the opset, and with it for the IR version, that the model has
  bool target_opset = false;
};

struct IrVersionChange {
  int64_t now = 0;  // 0 when it is the input's
  // what keeps it above the one that was wanted; empty when nothing does
  std::string needed_by;
  std::vector<std::string> dropped_fields;  // that it does not have: "metadata_props of 12 nodes"
};

struct LegalizeResult {
  std::deque<LoweredNode> lowered;
  std::vector<UnloweredNode> unlowered;
  std::deque<FoldedNode> folded;
  Unused unused;
  size_t attached_functions = 0;
  IrVersionChange ir_version;
  std::vector<std::string> dropped_domains;  // opset imports that nothing uses any more
  Warnings warnings;
  size_t densified_initializers = 0;
  size_t nodes_before = 0;  // subgraphs and functions included
  size_t nodes_after = 0;
};

}  // namespace onnx_lower

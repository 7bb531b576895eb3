// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the legalizer did and could not do, for the report.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_lower {

// Why a rule did not apply to a node.
struct Refusal {
  std::string rule;  // the operator that it lowers: "rknn_cst::cstThreshold"
  // Where the rule stands: "rules/rknn_cst/cstThreshold.onnxtxt:4", "native rule", or
  // "the model's function".
  std::string where_from;
  std::string reason;                           // a clause: "attribute 'threshold' is missing"
  std::vector<std::string> missing_attributes;  // that --set could give
  // Why a node of the rule's body could not be lowered; empty where the rule itself declined.
  std::vector<Refusal> causes;
  // The rule's form takes other inputs or attributes than the node has.
  bool is_of_signature = false;
  bool is_of_target = false;  // a runtime does not take the node as it is
  bool ends_search = false;   // more rules would have been tried, but for a limit
  bool wants_shapes = false;  // a shape that the model's inputs leave open stands in the way
  // The smallest --target-opset at which the node of the body exists; 0 when none is known.
  int target_opset_hint = 0;
};

// Whether a reason holds of one of the refusals, or of what they rest on:
// rest_on(refusals, &Refusal::wants_shapes).
inline bool rest_on(const std::vector<Refusal>& refusals, bool Refusal::*why) {
  return std::ranges::any_of(refusals,
                             [why](const Refusal& refusal) { return refusal.*why || rest_on(refusal.causes, why); });
}

inline Refusal refusal_of(std::string reason) {
  Refusal refusal;
  refusal.reason = std::move(reason);
  return refusal;
}

// A node that was lowered. Its views point into the model and the rule library, which must
// outlive the result.
struct LoweredNode {
  std::string_view node;  // its name, or its first output where it has none
  std::string_view domain;
  std::string_view op_type;
  std::string_view where_from;  // of the rule: see Refusal
  size_t nodes_made = 0;
  // What a native rule says about how it lowered the node; mostly empty.
  std::string_view note = {};
  // The node stayed, as the call of a model-local function of `nodes_made` nodes.
  bool attached = false;
  // What the rule assumes and nothing in the model proves; mostly empty.
  std::string_view assumption = {};
};

// A node that was replaced by what is known before the model runs.
struct FoldedNode {
  enum class Into : uint8_t {
    constant,     // its outputs, as constants
    then_branch,  // the nodes of this branch; the node was an If
    else_branch,
    nothing,  // the node was dropped: only folded or lowered nodes read its outputs
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
  std::vector<Refusal> refusals;  // empty where the operator has no rule
  // Operators that have a rule, where this one has none.
  std::vector<std::string> similar_operators;
  // The smallest --target-opset at which rules would lower the node; 0 when none is known.
  int target_opset_hint = 0;
  // --allow-narrowing would do.
  bool narrowing_would_do = false;
  // The options that give shapes or values to inputs of the model, where these stand in the way;
  // with names of dimensions in the place of numbers.
  std::vector<std::string> open_inputs;
};

// A value whose declared type is not the inferred one; both as ONNX's textual syntax writes types.
struct Contradiction {
  std::string value;
  std::string declared;
  std::string inferred;
};

// A node that stays though a target is known to compute it wrongly for some numbers.
struct DoubtfulNode {
  std::string node;  // its name, or its first output where it has none
  std::string op;
  std::string target;
  std::string reason;  // a clause
};

// The inputs, outputs and initializers of one element type that a target computes as float.
struct ComputedAsFloat {
  std::string target;
  std::string element_type;
  std::string value;  // the name of the first one
  size_t values = 0;
};

// The opset that is written for a target, as the node cannot be lowered at the one that would be.
struct OtherOpset {
  int opset = 0;  // 0 where no other one is written
  std::string node;
  std::string op_type;
};

// Findings that the user should look at.
struct Warnings {
  OtherOpset other_opset;
  std::vector<Contradiction> contradictions;
  std::vector<DoubtfulNode> doubtful;
  std::vector<ComputedAsFloat> computed_as_float;
  // Operators for which runtimes may have kernels, and which were lowered by the
  // model's own function.
  std::vector<std::string> functions_beside_kernels;
};

// Options of the user that had no effect.
struct Unused {
  std::vector<std::string> settings;  // of --set, as the user gave them
  // Patterns of --attach that fit no node that could be lowered.
  std::vector<std::string> attachments;
  // --target-opset asks for the opset, and so for the IR version, that the model has already.
  bool target_opset = false;
};

struct IrVersionChange {
  int64_t now = 0;  // 0 where the output has the IR version of the input
  // What in the model needs a higher IR version than the wanted one; empty where nothing does.
  std::string needed_by;
  // Left out as the IR version has no such fields, such as "metadata_props of 12 nodes".
  std::vector<std::string> dropped_fields;
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
  size_t nodes_before = 0;  // including those of subgraphs and functions
  size_t nodes_after = 0;
};

}  // namespace onnx_lower

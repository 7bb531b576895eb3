// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the legalizer did and could not do, for the report.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

struct SlowerForm;

// Why a rule did not apply to a node.
struct Refusal {
  std::string rule;  // the operator that it lowers: "rknn_cst::cstThreshold"
  // Where the rule stands: "rules/rknn_cst/cstThreshold.onnxtxt:4", "native rule", or
  // "the model's function".
  std::string where_from;
  std::string reason;                           // a clause: "attribute 'threshold' is missing"
  std::vector<std::string> missing_attributes;  // that --set could give
  // The attribute of the node that the rule does not know, or not of that type; empty where the
  // reason is another one. And the name of one that the rule knows and that is spelled alike.
  std::string refused_attribute, similar_attribute;
  std::vector<std::string> lacking_beside;  // attributes that the rule needs beside that
  // The operator of a node of the rule's body that has no rule: "aten::special_zeta"; mostly empty.
  std::string lacking_rule = {};
  // Why a node of the rule's body could not be lowered; empty where the rule itself declined.
  std::vector<Refusal> causes;
  // The rule's form takes other inputs or attributes than the node has.
  bool is_of_signature = false;
  bool is_of_target = false;    // a runtime does not take the node as it is
  bool is_of_operator = false;  // it takes no node of the operator at that version
  bool is_of_model = false;     // the node itself lacks what every runtime would need
  bool ends_search = false;     // more rules would have been tried, but for a limit
  bool wants_shapes = false;    // a shape that the model's inputs leave open stands in the way
  // The smallest --target-opset at which the node of the body exists; 0 when none is known.
  int target_opset_hint = 0;
  // How many steps a rule would have to write one by one, where these are more than allowed; -1
  // where it is not known how many there are; else 0.
  int64_t steps = 0;
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
  // Which of LegalizeResult::rewrites it is, where LegalizeOptions::shows_rewrites asks for these.
  uint32_t rewrite = 0;
  // What the rule assumes and nothing in the model proves; mostly empty.
  std::string_view assumption = {};
  // What is known of how much longer it takes now than by a runtime's kernel; null for nearly all.
  const SlowerForm* slower = nullptr;
};

// A node as reports show it.
struct ShownNode {
  std::string name;  // or its first output where it has none
  std::string op;    // "custom::Foo"
  // Values by name; "" where an optional one is absent.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  // By name, as text; what is long is cut, and of a graph only the number of its nodes is told.
  std::vector<std::pair<std::string, std::string>> attributes;
};

// What a kind of nodes became: the same rule has made nodes of the same operators of all of them,
// which read each other in the same way.
struct Rewrite {
  std::string op;
  std::string where_from;  // see Refusal
  bool attached = false;
  size_t nodes = 0;       // how many nodes of the model are of this kind
  size_t nodes_made = 0;  // of each of them
  // The first node of the kind, and the first ones of what it became: at most `most_shown`.
  ShownNode before;
  std::vector<ShownNode> after;
  static constexpr size_t most_shown = 400;
  // What is known of the values that these read and make, as ONNX's textual syntax writes types.
  std::map<std::string, std::string> types;
  // Values of these that nodes from outside do not make: initializers and Constant nodes, with
  // their elements where there are few.
  std::map<std::string, std::string> constants;
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

// A weight of which a runtime that computes at load what constants alone decide holds more than the
// file does: elements of four bits, say, that become floats.
struct GrownWeight {
  std::string weight;  // the largest constant that the value is computed from
  std::string value;   // what the runtime holds
  std::string type;    // of that value, as ONNX's textual syntax writes types
  uint64_t bytes = 0;  // of the weight
  uint64_t held_bytes = 0;
};

// What a model costs who runs it.
struct ModelCost {
  size_t nodes = 0;                         // including those of subgraphs and functions
  std::map<std::string, size_t> operators;  // how many nodes of each: "custom::Foo"
  uint64_t weight_bytes = 0;                // of initializers and of Constant nodes
  // The same when what constants alone decide is computed, but for DequantizeLinear, of which
  // runtimes hold the input.
  uint64_t held_bytes = 0;
  std::vector<GrownWeight> grown;  // in the order in which the model reads them
  // Of convolutions, recurrent nodes and products of matrices in one run of the model, as far as
  // that is known.
  uint64_t multiplications = 0;
  // Nodes of which the multiplications are not known, by operator.
  std::map<std::string, size_t> not_counted;
};

// A node of an operator for which the user wants to write a rule (LegalizeOptions::exemplified),
// and how many nodes have its form: as many inputs and outputs, and attributes of the same names
// and types.
struct NodeExample {
  std::string name;      // or its first output where it has none
  onnx::NodeProto node;  // its inputs and outputs end with one that is not absent
  int64_t opset = 0;     // the version of ai.onnx that it is written for
  size_t nodes = 0;
  std::vector<std::string> attribute_texts;  // their values, as they are shown to people
  // Of each input and output its type as far as it is known; of each input whether it is a
  // constant, and this itself where it is small.
  std::vector<onnx::TypeProto> input_types, output_types;
  std::vector<bool> are_constants;
  std::vector<onnx::TensorProto> constants;
};

struct UnloweredNode {
  std::string node;  // its name, or its first output where it has none
  // The graph that it stands in, after the graphs and nodes that hold this one:
  // "main_graph/If_3/then_branch"; or the function, "custom::Foo".
  std::string graph;
  std::string domain;
  std::string op_type;
  std::vector<Refusal> refusals;  // empty where the operator has no rule
  // Operators that have a rule, where this one has none.
  std::vector<std::string> similar_operators;
  // The first of them as which the node can be lowered, or could with attributes that it lacks,
  // which `reading_lacks` names; empty where there is none.
  std::string reading;
  std::vector<std::string> reading_lacks;
  // The smallest --target-opset at which rules would lower the node; 0 when none is known.
  int target_opset_hint = 0;
  // --allow-narrowing would do.
  bool narrowing_would_do = false;
  // The smallest --unroll with which rules would lower the node; 0 when none is known.
  int64_t unroll_hint = 0;
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

// The opset that is written for a target, as the node cannot be lowered at the one that would be,
// or becomes far more nodes there.
struct OtherOpset {
  int opset = 0;  // 0 where no other one is written
  std::string node;
  std::string op_type;
  int opset_before = 0;     // the one that would be
  size_t made_before = 0;   // how many nodes it became there; 0 where it cannot be lowered
  size_t made = 0;          // and at this one; 0: it stays
  int64_t weight_bits = 0;  // of the node's weights there, which at `opset_before` take 8; else 0
};

// Weights that were stored in fewer bits than they are written in, as the opset has no blocks of
// these.
struct WidenedWeights {
  size_t products = 0;
  std::string node, op_type;  // the first of the products
  int64_t bits = 0;
  int opset = 0;  // that would have such blocks
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
  // These only where LegalizeOptions::shows_rewrites asks for them.
  std::vector<Rewrite> rewrites;
  ModelCost before, after;
  std::vector<UnloweredNode> unlowered;
  std::vector<NodeExample> examples;
  std::deque<FoldedNode> folded;
  Unused unused;
  // Operators that stay since the user keeps them, and that the targets do not take.
  std::vector<std::string> kept_for_kernels;
  size_t attached_functions = 0;
  IrVersionChange ir_version;
  // What was read as an operator of another name, as "trt.plugins::Foo as TRT::Foo".
  std::vector<std::string> readings;
  std::vector<std::string> dropped_domains;  // opset imports that nothing uses any more
  Warnings warnings;
  WidenedWeights widened_weights;
  size_t densified_initializers = 0;
  // What the output imports and the input did not, or not only so, as "ai.onnx 18".
  std::vector<std::string> new_imports;
  bool has_moved_nodes = false;  // behind those whose values they use (see node_order.h)
  size_t nodes_before = 0;       // including those of subgraphs and functions
  size_t nodes_after = 0;
};

}  // namespace onnx_lower

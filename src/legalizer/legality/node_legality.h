// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a node may stand as it is at one destination, and what speaks against it.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "legalizer/body/origin.h"
#include "legalizer/candidates/rule_book.h"
#include "legalizer/legality/node_facts.h"
#include "legalizer/legality/target.h"
#include "legalizer/legalization/legalization.h"
#include "types/type_inference.h"

namespace onnx_lower {

// Problems are clauses: each says what speaks against the node, and is empty where nothing does.
class NodeLegality {
 public:
  // `root`: the graph of the destination, which is the main graph or the body of a function. All
  // arguments must outlive this.
  NodeLegality(Legalization& all, const RuleBook& rules, Target& target, TypeInference& types, const Graph& root)
      : all_(all), rules_(rules), target_(target), types_(types), root_(root) {}

  // The legality of the node's operator there; but a node is illegal that is written as some
  // exporters do and no version of the operator allows. Never Legality::unless_malformed.
  Legality of(const Node& node, const GraphScope& scope, const Origin& origin);

  // Whether the node is legal and holds no graph, as is true of nearly all nodes: it can be placed
  // as it is. Sets `made_type` to the element type of the node's first output where that was found
  // on the way, and else leaves it unchanged.
  bool stands_as_it_is(const Node& node, const GraphScope& scope, const Origin& origin, int& made_type);
  // Whether the runtimes take the node, by all that their conditions ask of it. Runs type
  // inference, unless types and names of attributes suffice.
  bool is_taken(const Node& node, const GraphScope& scope, const Origin& origin);
  // The same as stands_as_it_is() for a node that a rule made, as far as its operator, its
  // attributes and its element types tell. The answer holds for all nodes that are made of the same
  // node of a body with equal attributes and element types, for the same destination.
  bool stands_by_types(const Node& node, const GraphScope& scope, const Origin& origin);
  // A number for the destination. Where nodes may be judged in different ways, the numbers
  // differ. Never 0.
  uint32_t destination(const Origin& origin) const {
    return (static_cast<uint32_t>(target_.opsets()) + 1) << 1 | (root_.is_function || origin.attaches ? 1 : 0);
  }

  struct Verdict {
    std::string problem;          // may be empty where an operator of another domain does not stand
    bool stands = false;          // the node may be written, as the message is now
    bool edited = false;          // the message was changed
    bool is_of_target = false;    // a runtime does not take the node
    bool is_of_operator = false;  // it takes no node of the operator at that version
    bool is_preference = false;   // the runtime takes it, and only prefers another form of it
    bool wants_shapes = false;    // the runtime might take it if the model's inputs said shapes
  };
  // Judges a node that is not legal by its operator alone, or that has a problem. `message` is the
  // node, and is changed so that it is written at the target's version and the runtimes of the
  // options take it, where that is possible.
  Verdict judge(const Node& node, onnx::NodeProto& message, Legality legality, std::string problem,
                const GraphScope& scope, const Origin& origin);
  // Whether a target would rather have another value of this attribute of a node that may stay.
  bool prefers_another(const Node& node, const GraphScope& scope, const Origin& origin, std::string_view attribute) {
    return target_.prefers_another(node.op, origin.is_made(), facts_for_targets(node, nullptr, scope), attribute);
  }
  // Which target is known to compute a node of the model wrongly that stays though the target
  // prefers another form of it; nullopt where none is.
  std::optional<Target::Doubt> doubt(const Node& node, const GraphScope& scope) {
    return target_.doubt(node.op, facts_for_targets(node, nullptr, scope));
  }
  // The problem that the node has with its operator's schema, at the version for which the
  // node is written.
  std::string problem_of_schema(const Node& node, const GraphScope& scope) const;
  // The same with the conditions that no schema says (see standard_operators/node_conditions.h).
  std::string problem_of_conditions(const Node& node, const GraphScope& scope) const;
  // The problem of the element types of a node that a rule made, as far as they are known
  // without inference, at the version in which the node is written. Empty for an illegal node,
  // which is not written.
  std::string problem_of_made_types(const Node& node, Legality legality, const GraphScope& scope,
                                    const Origin& origin) const;

  // The problem of a node that a rule made and whose inputs differ in type, though they have
  // one type in the node's own version. Then only a rule of the user or the model can tell what
  // the node means.
  std::string problem_of_mixed_types(const Node& node, const GraphScope& scope) const;

  // The problem of the element types of a node that is to be written as it is. Runs type inference.
  std::string problem_of_written_types(const Node& node, const GraphScope& scope) const;

  // The first opset after the target's at which the operator takes the types of the node; 0 when
  // there is none.
  int opset_with_types(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                       const Origin& origin) const;

 private:
  // `version` is null for an operator that ONNX does not define.
  std::string problem_of_types(const Node& node, const OperatorVersion* version, const GraphScope& scope,
                               const Origin& origin) const;
  // These write into the verdict what speaks against the node, and whether they changed the
  // message. judge_version() answers whether the node can be written at the target's version, where
  // that differs from the node's own; judge_targets() whether the runtimes take it.
  void judge_version(const Node& node, onnx::NodeProto& message, const GraphScope& scope, const Origin& origin,
                     Verdict& verdict);
  void judge_targets(const Node& node, onnx::NodeProto& message, const GraphScope& scope, const Origin& origin,
                     Verdict& verdict);
  // Without --target: a node of the model is refused that both ONNX Runtime and OpenVINO execute at
  // the model's opset, and one of them does not at the written one: it has no kernel for the node's
  // types at that version of the operator, or at that opset no function in place of a kernel.
  void judge_runtimes(const Node& node, const onnx::NodeProto& message, const GraphScope& scope, Verdict& verdict);
  // Whether the runtimes take the node, as far as element types that are known without inference,
  // and the operators that make the inputs, tell. Sets `made_type` as stands_as_it_is() does. Where
  // `made_type` is null, conditions on what makes the inputs count as not met, so that the answer
  // holds for all nodes with inputs of these types.
  bool has_taken_inputs(const Node& node, const GraphScope& scope, const Origin& origin, int* made_type);
  // is_taken() where types and names of attributes suffice. Remembers the answers, since nodes are
  // many and alike.
  bool has_taken_names(const Node& node, const GraphScope& scope, const Origin& origin);
  NodeFacts facts_for_targets(const Node& node, const onnx::NodeProto* message, const GraphScope& scope);
  NodeFacts facts_at(const OperatorVersion* version, int64_t opset, const Node& node, const onnx::NodeProto* message,
                     const GraphScope& scope);
  // Whether a node of the destination reads the value, or one of its graphs has it as an output.
  bool is_read(ValueId value);

  Legalization& all_;
  const RuleBook& rules_;
  Target& target_;
  TypeInference& types_;
  const Graph& root_;
  KnownTensors known_{all_, types_};
  // The answers of has_taken_names(), and the key of the last one: one string, whose memory
  // serves all keys.
  std::unordered_map<std::string, bool> taken_;
  std::string key_;
  // The values that is_read() answers for; filled at its first call.
  std::optional<std::unordered_set<ValueId>> read_values_;
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Whether a node may stand at one destination as it is, and what speaks against it.
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

// Each problem is a clause, and empty when nothing speaks against the node.
class NodeLegality {
 public:
  // `root`: the graph that is written there. All must outlive this.
  NodeLegality(Legalization& all, const RuleBook& rules, Target& target, TypeInference& types, const Graph& root)
      : all_(all), rules_(rules), target_(target), types_(types), root_(root) {}

  // Of its operator, and of what exporters write though no version of it has that; never
  // Legality::unless_of_no_version.
  Legality of(const Node& node, const GraphScope& scope, const Origin& origin);

  // Whether it is legal and holds no graph, as nearly all nodes do: nothing needs to be made of it.
  // `made_type` gets the element type of its first output where that was learnt on the way.
  bool stands_as_it_is(const Node& node, const GraphScope& scope, const Origin& origin, int& made_type);
  // The same, as far as the operator, the attributes and the element types of a node that a rule
  // made tell it: a node of the same body that has the same stands, too, if it is for the same
  // destination.
  bool stands_by_types(const Node& node, const GraphScope& scope, const Origin& origin);
  // A number of its own for each destination for which nodes may be judged in another way; never 0.
  uint32_t destination(const Origin& origin) const {
    return (static_cast<uint32_t>(target_.opsets()) + 1) << 1 | (root_.is_function || origin.attaches ? 1 : 0);
  }

  struct Verdict {
    std::string problem;        // may be empty where an operator of another domain does not stand
    bool stands = false;        // as the message says it now
    bool edited = false;        // the message is not what the node was
    bool is_of_target = false;  // it is a runtime that has the problem
    bool is_of_wish = false;    // and it would only rather have another node: this one may stay
  };
  // Of a node that is not legal by its operator alone, or has a problem: `message`, which is the
  // node, is said in the target's version, and so that the runtimes of the options take it, where
  // that can be.
  Verdict judge(const Node& node, onnx::NodeProto& message, Legality legality, std::string problem,
                const GraphScope& scope, const Origin& origin);
  // Of a node of the model that stays though a runtime would rather have another.
  std::optional<Target::Doubt> doubt(const Node& node, const GraphScope& scope) {
    return target_.doubt(node.op, facts_for_targets(node, nullptr, scope));
  }
  // What the schema of its operator has against a node, at the version for which it is written.
  std::string problem_of_schema(const Node& node, const GraphScope& scope) const;
  // The same of the conditions that no schema says (see standard_operators/node_conditions.h).
  std::string problem_of_conditions(const Node& node, const GraphScope& scope) const;
  // What speaks against the types of a node that a rule made, as far as they are known without
  // inference, at the version in which it is written. None where it is not written.
  std::string problem_of_made_types(const Node& node, Legality legality, const GraphScope& scope,
                                    const Origin& origin) const;

  // Of a node that a rule made: that inputs differ in their types which have one type in the node's
  // own version, where no other rule can tell what it means.
  std::string problem_of_mixed_types(const Node& node, const GraphScope& scope) const;

  // What speaks against the types of a node that is to be written as it is, inference included.
  std::string problem_of_written_types(const Node& node, const GraphScope& scope) const;

  // The first opset after the target's at which the operator takes the types of the node; 0 when
  // there is none.
  int opset_with_types(const Node& node, const onnx::NodeProto& message, const GraphScope& scope,
                       const Origin& origin) const;

 private:
  // `version` is null for an operator that ONNX does not define.
  std::string problem_of_types(const Node& node, const OperatorVersion* version, const GraphScope& scope,
                               const Origin& origin) const;
  // These write into the verdict what speaks against the node and whether they edited the message.
  // The first one: whether the target has an operator for it, as Legality::by_node asks.
  void judge_version(const Node& node, onnx::NodeProto& message, const GraphScope& scope, const Origin& origin,
                     Verdict& verdict);
  void judge_targets(const Node& node, onnx::NodeProto& message, const GraphScope& scope, const Origin& origin,
                     Verdict& verdict);
  // Without --target: of a node of the model that ONNX Runtime and OpenVINO execute as it is, and
  // not as it is written: one of them has no kernel for its types at that version, or at that opset
  // no function in place of one.
  void judge_runtimes(const Node& node, const onnx::NodeProto& message, const GraphScope& scope, Verdict& verdict);
  // Whether the runtimes take the node, as far as the element types that are known without
  // inference and the makers of its inputs tell it. Sets `made_type` as stands_as_it_is() does;
  // without one the answer is for all nodes that have inputs of these types, whatever makes them.
  bool has_taken_inputs(const Node& node, const GraphScope& scope, const Origin& origin, int* made_type);
  // Whether they take it, by all that their conditions ask: inference included, but where types and
  // names of attributes suffice.
  bool is_taken(const Node& node, const GraphScope& scope, const Origin& origin);
  // That by types and names, which is remembered: nodes are many, and alike.
  bool has_taken_names(const Node& node, const GraphScope& scope, const Origin& origin);
  std::string problem_of_containers(const Node& node, const GraphScope& scope);
  // An input that has another rank than the target's version takes, as far as that is known.
  std::string problem_of_ranks(const Node& node, const GraphScope& scope);
  // An If whose branches make results of different shapes, where the target's version wants the
  // same.
  std::string problem_of_branches(const Node& node, const GraphScope& scope);
  using ResultShapes = std::vector<std::optional<onnx::TensorShapeProto>>;
  // Of the results of a subgraph of the node that nobody has looked at yet, as far as they are
  // known.
  ResultShapes result_shapes(const Graph& body, const Node& holder, const GraphScope& scope);
  NodeFacts facts_for_targets(const Node& node, const onnx::NodeProto* message, const GraphScope& scope);
  NodeFacts facts_at(const OperatorVersion* version, int64_t opset, const Node& node, const onnx::NodeProto* message,
                     const GraphScope& scope);
  // Whether a node or a graph output of the destination reads the value.
  bool is_read(ValueId value);

  Legalization& all_;
  const RuleBook& rules_;
  Target& target_;
  TypeInference& types_;
  const Graph& root_;
  KnownTensors known_{all_, types_};
  // What has_taken_names() found out, and the key of the last question, which is one string for all
  // of them.
  std::unordered_map<std::string, bool> taken_;
  std::string key_;
  // of the root, found at the first question
  std::optional<std::unordered_set<ValueId>> read_values_;
};

}  // namespace onnx_lower

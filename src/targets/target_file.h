// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What one runtime takes of ONNX, as a file of targets/ says it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/conditions/condition.h"

namespace onnx_lower {

struct OperatorVersion;

struct VersionRange {
  int64_t first = 1;
  int64_t last = std::numeric_limits<int64_t>::max();

  bool contains(int64_t version) const { return first <= version && version <= last; }
  bool is_empty() const { return last < first; }
};

// What a line of the file says of nodes of one operator. Its names are the parameters and
// attributes of the operator's schema; input_0, output_1 … are the inputs and outputs by their
// places, for operators that have no schema here.
struct OperatorLine {
  VersionRange versions;  // of the operator: the opset that brought each
  bool never = false;
  // said of nodes that rules make, and not of those of the model
  bool only_made = false;
  // of a node that does not fit: it stays where no rule says it in others
  bool is_wish = false;
  // one that stays comes out wrong, and not only of some numbers
  bool is_wrong = false;
  // without one, and where it is not `never`, the runtime takes them all
  std::optional<Condition> condition;
  int line = 0;
  size_t unread_at = 0;  // where in the file the condition begins, as long as it has not been read

  // What the line says of an operator's nodes: "where dtype(X) in (float, double)", "never".
  std::string text;
};

// Of the versions of ai.onnx, those that a model may import of which the condition holds.
struct OpsetsOfModels {
  VersionRange versions;
  Condition condition;
};

struct TargetFile {
  std::string name;   // "onnxruntime-1.31"
  std::string title;  // the first comment of the file: "ONNX Runtime 1.31.1, CPU."
  std::string text;
  // by domain, "" for ai.onnx; those that the runtime takes
  std::map<std::string, VersionRange, std::less<>> opsets;
  // Those of ai.onnx for a model that has to be lowered: the runtime may take newer nodes that a
  // model brings, and not all that rules would make there.
  VersionRange opsets_of_lowered;
  std::vector<OpsetsOfModels> opsets_where;
  VersionRange ir_versions;
  bool takes_functions = true;
  bool only_static_shapes = false;  // every dimension of a model's inputs has to be a number
  bool only_known_ranks = false;    // how many dimensions each of them has must be declared
  // Every input has at least one dimension, and no dimension of 0 elements.
  bool only_filled_inputs = false;
  // Bit N: it has no element type N (TensorProto.DataType) at all.
  uint64_t lacking_types = 0;
  // Bit N: it reads tensors of element type N rightly only where their elements are raw data.
  uint64_t raw_types = 0;
  // Bit N: it computes elements of type N as float.
  uint64_t float_types = 0;
  // Graph outputs, and what goes into subgraphs and out of them, must be declared with a shape.
  bool needs_shapes = false;
  // What goes into subgraphs and out of them must be.
  bool needs_shapes_inside = false;
  // What a graph declares of the values inside of it may not name dimensions.
  bool needs_unnamed_inside = false;
  // A model has to have a node.
  bool needs_nodes = false;
  // What the graph of a Loop or a Scan gives has to be made in it: none of its inputs may be one of
  // its outputs.
  bool needs_made_outputs = false;
  // It speaks of what rules make, and leaves alone what the model says in standard operators.
  bool only_made_nodes = false;
  // Whether the runtime takes the standard operators, and the versions of them, that no line speaks
  // of.
  bool takes_others = true;
  // It rests on what is published about the runtime: nobody asked the runtime itself.
  bool from_documents = false;

  // nullptr where the file says nothing of the operator: then a standard one is taken if others
  // are, and no other one. The domain is "" for ai.onnx.
  const std::vector<OperatorLine>* lines(std::string_view domain, std::string_view op_type) const;
  // The lines about such a node that speak of this version of its operator, which is nullptr for an
  // operator of another domain, and of what rules make or of what the model brought.
  std::vector<const OperatorLine*> lines_about(std::string_view domain, std::string_view op_type,
                                               const OperatorVersion* version, bool made) const;
  // What follows from `lacking_types` for nodes of that version of an operator; nullptr where no
  // input can be of such a type.
  const OperatorLine* line_about_types(const OperatorVersion& version) const;
  // Whether the runtime takes no such node, whatever its types, attributes and inputs are.
  bool refuses(std::string_view domain, std::string_view op_type, const OperatorVersion* version, bool made) const;

  // Throws InvalidInput, with file and line, where the text is not as docs/targets.md says. `path`
  // is for messages. To read what it says of all operators takes longer than to lower a small
  // model: without `all_operators` that is read of one when somebody asks for it.
  static TargetFile parse(std::string name, std::string text, std::string path, bool all_operators = true);

 private:
  using Lines = std::vector<OperatorLine>;
  // A line about an operator that nobody has asked for.
  struct UnreadLine {
    size_t begin;  // in the text
    size_t name;   // where the operator's name begins
    size_t name_size;
    int line;  // its number; 0 once it has been read
  };

  std::string path_;
  std::map<std::string, std::string, std::less<>> lists_;  // by the names that stand for them
  // bytes of them in the conditions that have been read
  mutable size_t written_out_ = 0;
  mutable std::map<std::string, std::unordered_map<std::string, Lines>, std::less<>> domains_;
  mutable std::vector<UnreadLine> unread_lines_;
  mutable std::unordered_map<const OperatorVersion*, std::optional<OperatorLine>> lines_about_types_;

  friend class ConditionReader;
  friend class OperatorLineReader;
  friend class TargetFileParser;
};

}  // namespace onnx_lower

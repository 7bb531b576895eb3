// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What one runtime supports of ONNX, as a file in targets/ says.
#pragma once

#include <cstdint>
#include <functional>
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

// What a line of the file says about the nodes of an operator. Names in its condition are the
// parameters and attributes of the operator's schema; for operators without a schema here, input_0,
// output_1 … are the inputs and outputs by position.
struct OperatorLine {
  VersionRange versions;  // of the operator, each as the opset that introduced it
  bool never = false;
  // The line is about nodes that rules make, not about those that the model brought.
  bool only_made = false;
  // A node that does not fit stays in the model if no rule has another form of it.
  bool is_preference = false;
  // A node that does not fit is computed wrongly for all numbers, not only for some.
  bool is_wrong = false;
  // Without a condition, unless `never` is set, the runtime takes all nodes.
  std::optional<Condition> condition;
  int line = 0;
  size_t unread_at = 0;  // the condition's offset in the file, until it has been read

  // What the line says of an operator's nodes: "where dtype(X) in (float, double)", "never".
  std::string text;
};

// Versions of ai.onnx that a model may import if the condition holds.
struct OpsetsOfModels {
  VersionRange versions;
  Condition condition;
};

struct TargetFile {
  std::string name;   // "onnxruntime-1.31"
  std::string title;  // the first comment of the file: "ONNX Runtime 1.31.1, CPU."
  std::string text;
  // Which target this is, where the user called it by another name: "ort: onnxruntime-1.31 is
  // taken, the newest".
  std::string found_as;
  // By domain ("" for ai.onnx): the versions that the runtime supports. ONNX defines no versions of
  // other domains than its own, but a runtime may refuse to load an import of one.
  std::map<std::string, VersionRange, std::less<>> opsets;
  // The versions of ai.onnx for a model that has to be lowered. The runtime may support newer nodes
  // if a model brings them, but not all newer nodes that rules would make.
  VersionRange opsets_of_lowered;
  std::vector<OpsetsOfModels> opsets_where;
  VersionRange ir_versions;
  bool takes_functions = true;
  bool only_static_shapes = false;  // every dimension of a model's inputs must be a number
  bool only_known_ranks = false;    // the rank of each input must be declared
  // Every input has at least one dimension, and no dimension of 0 elements.
  bool only_filled_inputs = false;
  // Bit N: the runtime does not support element type N (TensorProto.DataType) at all.
  uint64_t lacking_types = 0;
  // Bit N: the runtime reads tensors of element type N correctly only if their
  // elements are raw data.
  uint64_t raw_types = 0;
  // Bit N: the runtime computes elements of type N as float.
  uint64_t float_types = 0;
  // Graph outputs, and the inputs and outputs of subgraphs, must be declared with a shape.
  bool needs_shapes = false;
  // The inputs and outputs of subgraphs must be declared with a shape.
  bool needs_shapes_inside = false;
  // Declarations of values within a graph must not name dimensions.
  bool needs_unnamed_inside = false;
  // A model must have at least one node.
  bool needs_nodes = false;
  // The outputs of a subgraph of a Loop or a Scan must be made in that graph: none may be
  // one of its inputs.
  bool needs_made_outputs = false;
  // The file is only about nodes that rules make; standard operators that the model
  // brought are left alone.
  bool only_made_nodes = false;
  // Whether the runtime takes the standard operators, and those versions of them, that
  // no line is about.
  bool takes_others = true;
  // No runtime, but operators and domains that the user does not want (see target_without()).
  bool is_restriction = false;
  std::vector<std::string> lacking_domains;  // of a restriction: other domains than ONNX's
  // The file is based on what is published about the runtime; the runtime itself was not tried.
  bool from_documents = false;

  // The lines about an operator; nullptr where there is none: then a standard operator is taken if
  // `takes_others`, and any other one is not. The domain is "" for ai.onnx.
  const std::vector<OperatorLine>* lines(std::string_view domain, std::string_view op_type) const;
  // The lines about a node of this version of its operator (nullptr for an operator of another
  // domain), which may be about nodes that rules make, or about those that the model brought.
  std::vector<const OperatorLine*> lines_about(std::string_view domain, std::string_view op_type,
                                               const OperatorVersion* version, bool made) const;
  // Calls `visit` with the domain ("" for ai.onnx), the operator and each line about it, for a file
  // that was parsed with all operators.
  void for_each_line(const std::function<void(std::string_view, std::string_view, const OperatorLine&)>& visit) const;
  // The line that follows from `lacking_types` for nodes of this version of an operator; nullptr
  // where no input can have such a type.
  const OperatorLine* line_about_types(const OperatorVersion& version) const;
  // Whether the runtime refuses all such nodes, whatever their types, attributes and inputs are.
  bool refuses(std::string_view domain, std::string_view op_type, const OperatorVersion* version, bool made) const;

  // Throws InvalidInput, with file and line, where the text is not as docs/targets.md says. `path`
  // is for messages. Reading the lines about all operators takes longer than lowering a small
  // model: without `all_operators`, those about an operator are read when they are first asked for.
  static TargetFile parse(std::string name, std::string text, std::string path, bool all_operators = true);

 private:
  using Lines = std::vector<OperatorLine>;
  // A line about an operator that has not been asked for yet.
  struct UnreadLine {
    size_t begin;  // offset in the text
    size_t name;   // where the operator's name begins
    size_t name_size;
    int line;  // its number; 0 once it has been read
  };

  std::string path_;
  std::map<std::string, std::string, std::less<>> lists_;  // by their names
  // How many bytes of lists have been written out in conditions.
  mutable size_t written_out_ = 0;
  mutable std::map<std::string, std::unordered_map<std::string, Lines>, std::less<>> domains_;
  mutable std::vector<UnreadLine> unread_lines_;
  mutable std::unordered_map<const OperatorVersion*, std::optional<OperatorLine>> lines_about_types_;

  friend class ConditionReader;
  friend class OperatorLineReader;
  friend class TargetFileParser;
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// --attach: what a node was lowered to becomes a model-local function, the node's reference kernel,
// and the node stays.
//
// The function is what the legalizer made of the node in its place, types and constants known, so
// it is as legal at the model's opset as an expansion is (a runtime reads a function's nodes at the
// model's opset, whatever the function imports). Attributes of the node stay attributes of the
// function as far as the body passes them on; what a rule computed from them, or from types, shapes
// and constants, is part of the body.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "legalizer/legality/target.h"
#include "legalizer/legalization/legalization.h"
#include "model_file/model.h"
#include "rules/text/form.h"

namespace onnx_lower {

class Attachment {
 public:
  explicit Attachment(Legalization& all) : all_(all), pattern_used_(all.options.attached.size(), false) {}

  // Whether the options ask that nodes of the operator are attached, and a runtime would execute
  // the function that they get.
  bool wants(OperatorId op);

  // A node that is to stay. `written` is the node as it will be in the model, but for the name of
  // its function. `lowered` is the node as rules are to see it: with a name for every output, as a
  // function makes all of its outputs; and with no input twice, as a function has two names for
  // that input. The Identity that gives the second name is placed in the scope.
  struct KeptNode {
    const Node& original;
    onnx::NodeProto written;
    Node lowered;
    bool has_settings;
    bool differs;  // `written` is not the same as the original
  };
  // Prepares a node that is to stay. `message` is the node with the user's settings; it becomes the
  // message of `lowered`.
  KeptNode keep(const Node& node, onnx::NodeProto& message, bool has_settings, GraphScope& scope);

  // Whether a runtime executes the model's own function for the node as both are: all that the
  // function calls is imported, exists, and means the same at the target; and the node has no more
  // inputs than the function, and as many outputs.
  bool runs_as_it_is(const KeptNode& kept, Target& target);

  // The node that stays, as a call of a function that is made of `nodes`, to which the node was
  // lowered by `form`. Calls of equal functions share one.
  const Node& make_call(const KeptNode& kept, const onnx::NodeProto& message, const Form& form,
                        std::span<const Node* const> nodes, Target& target);

  // Notes that the operator's domain is to be imported, as the node stays: exporters
  // forget that import.
  void import_domain_of(OperatorId op);

  std::span<const Function> functions() const { return functions_; }
  // The model's own functions that were found to be what a call needs.
  std::span<const OperatorId> reused() const { return reused_; }
  // The patterns of --attach that fit no node that could be lowered.
  std::vector<std::string> unused_patterns() const;

  // Adds the functions to the model.
  void add_to_model();

 private:
  onnx::FunctionProto function_of(const KeptNode& kept, const onnx::NodeProto& message, const Form& form,
                                  std::span<const Node* const> nodes, const Target& target);
  // The kept node, as a call of that function.
  const Node& call_of(const KeptNode& kept, const Operator& function);
  bool function_runs(OperatorId op, Target& target);
  struct Name {
    Operator op;
    bool is_there;  // the model has this very function already
  };
  Name named(onnx::FunctionProto& function, const Operator& wanted, bool replaces_own);
  Operator numbered(const Operator& wanted, int number);
  bool called_in_model(OperatorId op);
  void add(OperatorId op, const onnx::FunctionProto& function);

  Legalization& all_;
  std::vector<bool> pattern_used_;
  // The functions that were made, by what their bytes are under the operator's own name.
  std::unordered_map<std::string, Operator> known_;
  // The same by what a function is made of, see FunctionKey.
  std::unordered_map<std::string, Operator> by_key_;
  // By operator, the next number for a name of its functions.
  std::unordered_map<OperatorId, int> next_number_;
  std::unordered_set<OperatorId> taken_;
  std::unordered_set<OperatorId> operators_in_model_;
  std::unordered_map<OperatorId, bool> runs_;  // whether the model's own functions run as they are
  std::vector<Function> functions_;
  std::vector<OperatorId> reused_;
  std::vector<Bytes> fields_;  // each of functions_ as a field of the model
};

}  // namespace onnx_lower

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

  // Whether the options ask that nodes of the operator stay, and a runtime would execute the
  // function that they get.
  bool wants(OperatorId op);

  // A node that is to stay. `written` is what it will be in the model, but for the name of its
  // function; `lowered` is the same node as rules are to see it:
  // with a name for every output, because a function makes all of its outputs, and with no input
  // twice, for a function has two names for it. The Identity that gives the second name is placed
  // in the scope.
  struct KeptNode {
    const Node& original;
    onnx::NodeProto written;
    Node lowered;
    bool has_settings;
    bool differs;  // `written` is not the original
  };
  // `message` is the node, with the user's settings; it becomes `lowered`.
  KeptNode keep(const Node& node, onnx::NodeProto& message, bool has_settings, GraphScope& scope);

  // Whether a runtime executes the model's own function for the node as it is: all that it calls is
  // imported, exists, and means the same at the target; and the node calls it as it is declared.
  bool runs_as_it_is(const KeptNode& kept, Target& target);

  // The call that stays, of a function made of `nodes`, to which the node was lowered by `form`.
  // Equal functions are one.
  const Node& make_call(const KeptNode& kept, const onnx::NodeProto& message, const Form& form,
                        std::span<const Node* const> nodes, Target& target);

  // Notes the import of an operator's domain, which exporters forget: what stays in the model needs
  // it.
  void import_domain_of(OperatorId op);

  std::span<const Function> functions() const { return functions_; }
  // The model's own functions that calls found to be what they need.
  std::span<const OperatorId> reused() const { return reused_; }
  // The patterns of the options that no node fitted.
  std::vector<std::string> unused_patterns() const;

  // Adds the functions to the model.
  void add_to_model();

 private:
  onnx::FunctionProto function_of(const KeptNode& kept, const onnx::NodeProto& message, const Form& form,
                                  std::span<const Node* const> nodes, const Target& target);
  // The node as it calls the function.
  const Node& call_of(const KeptNode& kept, const Operator& function);
  bool function_runs(OperatorId op, Target& target);
  struct Name {
    Operator op;
    bool is_there;  // the model has the function already
  };
  Name named(onnx::FunctionProto& function, const Operator& wanted, bool replaces_own);
  Operator numbered(const Operator& wanted, int number);
  bool called_in_model(OperatorId op);
  void add(OperatorId op, const onnx::FunctionProto& function);

  Legalization& all_;
  std::vector<bool> pattern_used_;
  // by the function's bytes, without its overload
  std::unordered_map<std::string, Operator> known_;
  // the same by what the function is made of, see FunctionKey
  std::unordered_map<std::string, Operator> by_key_;
  // of functions that stand for nodes of the operator
  std::unordered_map<OperatorId, int> next_number_;
  std::unordered_set<OperatorId> taken_;
  std::unordered_set<OperatorId> operators_in_model_;
  std::unordered_map<OperatorId, bool> runs_;  // the model's own functions as they are
  std::vector<Function> functions_;
  std::vector<OperatorId> reused_;
  std::vector<Bytes> fields_;  // of the model, one for each function
};

}  // namespace onnx_lower

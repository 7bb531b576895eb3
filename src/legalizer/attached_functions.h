// --attach: what a node was lowered to becomes a model-local function, the node's reference kernel, and the node stays.
//
// The function is what the legalizer made of the node in its place, types and constants known, so it is as legal at the model's opset as an expansion is
// (a runtime reads a function's nodes at the model's opset, whatever the function imports). Attributes of the node stay attributes of the function
// as far as the body passes them on; what a rule computed from them, or from types, shapes and constants, is part of the body.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "legalizer/call.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

class AttachedFunctions {
 public:
  AttachedFunctions(Model& model, RuleLibrary& library) : model_(model), library_(library) {}

  // Whether ONNX Runtime executes a model with a call of the operator: not with one that it knows itself, and has no kernel for.
  static bool is_executed(const Operator& op);

  // The version of a domain for a node of the body: what the written graph imports, or else what the node's origin does.
  using VersionOf = std::function<int64_t(const Node& node, std::string_view domain)>;

  // What a call is to get: its node with every output named, the signature and declared attributes of its form, and what it was lowered to.
  struct Lowered {
    const Node& call;
    const onnx::NodeProto& message;  // of the call, with its attributes
    const Form& form;
    std::span<const Node* const> nodes;
    bool replaces_own;  // the function takes the name of the model's own, which goes
  };

  // The operator by which the call finds its function: its own, or with another overload (another name where the IR version has no overloads) when that
  // is another function already. Equal functions are one. A refusal when the body uses values of the graph around it.
  std::optional<Refusal> attach(const Lowered& lowered, const VersionOf& version_of, Operator& found);

  std::span<const Function> functions() const { return functions_; }
  // The model's own functions that calls found to be what they need.
  std::span<const OperatorId> reused() const { return reused_; }

  // Adds the functions to the model. Raises its IR version to the first that has model-local functions (8), and their default attributes (9).
  void add_to_model();

 private:
  Operator named(onnx::FunctionProto& function, const Operator& wanted, bool replaces_own, bool& is_there);
  bool called_in_model(const Operator& op);
  void add(const onnx::FunctionProto& function);

  Model& model_;
  RuleLibrary& library_;
  std::unordered_map<std::string, Operator> known_;  // by the function's bytes, without its overload
  std::unordered_set<OperatorId> taken_;
  std::unordered_set<OperatorId> operators_in_model_;
  std::vector<Function> functions_;
  std::vector<OperatorId> reused_;
  std::vector<Bytes> fields_;  // of the model, one for each function
  bool has_defaults_ = false;
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The names of values and nodes in the function that --attach makes of a body.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "legalizer/nodes/value_renaming.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// The rest of the name of a value or node that was made for a node: without the node's name and the
// slash (`prefix`) with which it begins. A name that does not begin so stays as it is.
std::string_view without_prefix(std::string_view name, std::string_view prefix);

// Gives the nodes of a body their names in a function. Inputs and outputs get the names that the
// form has for them, and the rest what the body's names have behind the name of the replaced node.
// Where the function is expanded later, this makes the same names as an expansion of the node.
class FunctionNames final : public ValueRenaming {
 public:
  FunctionNames(const Model& model, const Node& call, onnx::FunctionProto& function);

  void rename(onnx::NodeProto& node) override;

 private:
  using ValueRenaming::rename;

  void use(std::string& name) override;
  void define(std::string& name) override;

  std::string prefix_;
  // From names in the model to those in the function.
  std::unordered_map<std::string, std::string> names_;
  std::unordered_set<std::string> taken_;
};

}  // namespace onnx_lower

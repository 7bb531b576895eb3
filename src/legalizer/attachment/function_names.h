// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the values of a body are called in the function that `--attach` makes of it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "legalizer/nodes/value_renaming.h"
#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A name that an expansion made, without what it begins with: the name of the node that it was made
// for.
std::string_view without_prefix(std::string_view name, std::string_view prefix);

// The names of a body as a function has them: those of the form for its inputs and outputs, and for
// the rest what an expansion puts behind the name of the node. So an expansion of the function
// makes the names that one of the node makes.
class FunctionNames final : public ValueRenaming {
 public:
  FunctionNames(const Model& model, const Node& call, onnx::FunctionProto& function);

  void rename(onnx::NodeProto& node) override;

 private:
  using ValueRenaming::rename;

  void use(std::string& name) override;
  void define(std::string& name) override;

  std::string prefix_;
  std::unordered_map<std::string, std::string> names_;  // from the model's to the function's
  std::unordered_set<std::string> taken_;
};

}  // namespace onnx_lower

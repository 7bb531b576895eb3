// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The functions of a model: its own, and those that are added to it.
#pragma once

#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>

#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Of several functions of one domain, name and overload the first one counts.
class ModelFunctions {
 public:
  explicit ModelFunctions(Model& model);

  // The model's own function that is the operator; nullptr when there is none. Stays valid until
  // the model gets further functions.
  const Function* own(OperatorId op) const;

  // The function that a call of the operator executes, an added one too; nullptr when there is
  // none. Throws InvalidInput when it cannot be read.
  const onnx::FunctionProto* message(OperatorId op);
  // An own function, which is there, to be used up.
  onnx::FunctionProto read(OperatorId op) const { return read(op, own(op)->body.wire); }

  // A function that will be the model's when all is done, as the message that the model keeps. It
  // takes the place of the model's own of that name.
  void add(OperatorId op, Bytes function) {
    messages_.erase(op);
    added_.insert_or_assign(op, function);
  }

  // Adds the own functions that the graph calls, whose place no other has taken, and that are not
  // yet marked in `called`, in the order of their first call, to `found`.
  void find_called(const Graph& graph, std::vector<bool>& called, std::vector<size_t>& found) const;
  // The same for a single operator.
  void find_called(OperatorId op, std::vector<bool>& called, std::vector<size_t>& found) const;

 private:
  onnx::FunctionProto read(OperatorId op, Bytes function) const;

  Model& model_;
  std::unordered_map<OperatorId, size_t> own_;  // indices of model_.functions
  std::map<OperatorId, onnx::FunctionProto> messages_;
  std::unordered_map<OperatorId, Bytes> added_;
};

}  // namespace onnx_lower

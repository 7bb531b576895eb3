// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The functions of a model: its own, and those that --attach adds.
#pragma once

#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>

#include "model_file/model.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// Of several functions with one domain, name and overload, the first one counts.
class ModelFunctions {
 public:
  explicit ModelFunctions(Model& model);

  // The model's own function that defines the operator; nullptr when there is none. Valid until the
  // model gets further functions.
  const Function* own(OperatorId op) const;

  // The function that a call of the operator executes, which may be an added one; nullptr when
  // there is none. Throws InvalidInput when it cannot be read.
  const onnx::FunctionProto* message(OperatorId op);
  // A copy of the model's own function, which has to exist. Throws InvalidInput when it
  // cannot be read.
  onnx::FunctionProto read(OperatorId op) const { return read(op, own(op)->body.wire); }

  // Adds a function, a message that the model keeps, which becomes the model's in the end. It
  // replaces the model's own function for the operator.
  void add(OperatorId op, Bytes function) {
    messages_.erase(op);
    added_.insert_or_assign(op, function);
  }

  // Finds the own functions that the graph calls: those that are not yet marked in `called` are
  // marked, and their indices are appended to `found` in the order of their first call. Functions
  // that an added one replaces are left out.
  void find_called(const Graph& graph, std::vector<bool>& called, std::vector<size_t>& found) const;
  // The same for a single operator.
  void find_called(OperatorId op, std::vector<bool>& called, std::vector<size_t>& found) const;

 private:
  onnx::FunctionProto read(OperatorId op, Bytes function) const;

  Model& model_;
  // By OperatorId, an index of model_.functions and 1 more; 0 for an operator without one. A
  // vector, since every node is asked about; it ends behind the last operator that has one.
  std::vector<size_t> own_;
  std::map<OperatorId, onnx::FunctionProto> messages_;
  std::unordered_map<OperatorId, Bytes> added_;
};

}  // namespace onnx_lower

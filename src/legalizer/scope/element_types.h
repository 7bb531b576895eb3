// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The element types of the values of a graph, as far as they are known without inference while the
// graph is legalized: by the operators that make the values, and else by declarations.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>

#include "model_file/model.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

class GraphScope;

// An element type is a TensorProto.DataType, 0 where it is not known.
class ElementTypes {
 public:
  explicit ElementTypes(const GraphScope& scope) : scope_(scope) {}

  // The element type of a value of the scope, or of one around it.
  int of(ValueId value) const;

  // Whether the operator that makes the value tells its element type, without a declaration. True
  // for a value that no node of the scope makes.
  bool are_told_by_operator(ValueId value) const;

  // Notes the element type of a node's output where its operator does not tell it: of the output of
  // a node with subgraphs, or of an attached function. 0 takes a note back.
  void note(ValueId value, int type) {
    if (type != 0) {
      noted_[value] = type;
    } else {
      noted_.erase(value);
    }
  }
  int noted(ValueId value) const {
    const auto found = noted_.find(value);
    return found == noted_.end() ? 0 : found->second;
  }
  bool has_noted() const { return !noted_.empty(); }
  void forget_noted(ValueId value) { noted_.erase(value); }
  // Forgets the notes of the values from `begin` up to `end`, which are few.
  void forget_noted(size_t begin, size_t end) {
    for (size_t value = begin; value < end && has_noted(); ++value) forget_noted(static_cast<ValueId>(value));
  }

 private:
  // What decides the element type of a node's output: it is known; or it is that of the inputs (of
  // those that `same` names, or of all where `op` is null); or neither.
  struct TypeSource {
    int element_type = 0;
    std::span<const ValueId> inputs = {};
    const OperatorVersion* op = nullptr;
    ElementTypeSource same = {};

    bool is_that_of_input(size_t index) const { return op == nullptr || same.is_that_of_input(*op, index); }
  };

  int from_outside(ValueId value) const;
  int of_captured(ValueId value) const;
  TypeSource type_source(ValueId value, const Node& maker) const;
  int find(ValueId value, size_t maker) const;

  const GraphScope& scope_;
  std::unordered_map<ValueId, int> noted_;

  // The value of an enclosing scope that was asked for last: nodes that take the place of one
  // custom node ask for its inputs again and again.
  struct Captured {
    ValueId value = absent_value;
    int element_type = 0;
  };
  mutable Captured last_captured_;
};

}  // namespace onnx_lower

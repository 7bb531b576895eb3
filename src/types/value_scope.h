// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The values that a node can use: those of its graph, and those of the graphs around it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model_file/value_id.h"
#include "onnx/onnx_pb.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

// A standard operator, at the version that the node means, or a model-local function. Neither is
// set for an operator that is not known.
struct OperatorMeaning {
  const OperatorVersion* version = nullptr;
  const onnx::FunctionProto* function = nullptr;
};

// What the nodes of a graph mean.
class OperatorMeanings {
 public:
  virtual ~OperatorMeanings() = default;
  virtual OperatorMeaning meaning_of(std::string_view domain, const std::string& op_type,
                                     const std::string& overload) const = 0;
};

// A node, and what is known of it without parsing it.
struct NodeView {
  const void* node = nullptr;  // known to the scope; null: there is no node
  std::span<const ValueId> inputs = {};
  std::span<const ValueId> outputs = {};
  OperatorMeaning meaning = {};
  OperatorRole role = OperatorRole::none;
  bool has_bodies = false;

  explicit operator bool() const { return node != nullptr; }
};

// A graph or the body of a node, and what the nodes in the bodies of its nodes mean. The nodes
// before the current one are already lowered. Pointers are non-owning; nullptr means that there is
// no such thing, or that it is not known.
class ValueScope : public OperatorMeanings {
 public:
  // Whether `value` belongs to this scope; if not, it may belong to an enclosing one.
  virtual bool defines(ValueId value) const = 0;

  // The type that the scope declares for a graph input, an output, a value_info or an initializer.
  // Its element type or its shape may be missing. For a node's output, nothing guarantees that the
  // declared type is right.
  virtual const onnx::TypeProto* declared_type(ValueId value) const = 0;

  // TensorProto.DataType of a value of this scope or of one around it, as far as it is known
  // without inference; 0 when it is not.
  virtual int element_type(ValueId value) const = 0;

  // The type of an initializer that is no graph input, or of what a Constant node makes; nullptr
  // for other values.
  virtual const onnx::TypeProto* constant_type(ValueId value) const = 0;

  // The tensor of such a value; nullptr also where its elements cannot be read.
  virtual const onnx::TensorProto* constant(ValueId value) const = 0;

  // The node of this scope that has this output; no node for graph inputs and initializers.
  virtual NodeView producer(ValueId value) const = 0;

  // Whether a node of this scope has this output.
  virtual bool has_producer(ValueId value) const { return static_cast<bool>(producer(value)); }

  // The values whose shapes, broadcast, are that of `value`, where that can be told without looking
  // at every node between them; else empty.
  virtual std::vector<ValueId> shape_sources(ValueId /*value*/) const { return {}; }

  // For a body: the scope around it, the node of that scope that holds the body, and which input of
  // the body `value` is (or -1).
  virtual const ValueScope* enclosing() const = 0;
  virtual NodeView holder() const = 0;
  virtual int graph_input_index(ValueId value) const = 0;

  // A node that producer() or holder() gave, as a message.
  virtual const onnx::NodeProto& message(const NodeView& node) const = 0;

  // The value of that name; absent_value when no scope has one.
  virtual ValueId value_of(std::string_view name) const = 0;
};

}  // namespace onnx_lower

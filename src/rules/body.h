// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The function that a native rule makes, node by node.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model_file/derivation.h"
#include "onnx/onnx_pb.h"
#include "rules/native_rule.h"

namespace onnx_lower {

using Ints = std::vector<int64_t>;

// How many elements a list with these dimensions has, which a rule is to write as a constant. The
// rule declines where they are more than a million, or where a dimension is negative.
std::size_t list_size(const Ints& dims);
// The numbers 0, 1, 2 … below `count`. The rule declines as with list_size().
Ints numbers_below(int64_t count);

// Names of values; an empty one is an absent input.
class Values {
 public:
  Values() = default;
  Values(std::initializer_list<std::string_view> names) : names_(names.begin(), names.end()) {}
  Values(std::vector<std::string> names) : names_(std::move(names)) {}

  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

// An attribute of a node. Its type follows from the C++ type of its value.
class BodyAttribute {
 public:
  template <typename Value>
  requires std::integral<Value> || std::is_enum_v<Value> BodyAttribute(std::string_view name, Value value) {
    start(name, onnx::AttributeProto::INT).set_i(static_cast<int64_t>(value));
  }
  template <std::floating_point Value>
  BodyAttribute(std::string_view name, Value value) {
    start(name, onnx::AttributeProto::FLOAT).set_f(static_cast<float>(value));
  }
  BodyAttribute(std::string_view name, std::string_view value) {
    start(name, onnx::AttributeProto::STRING).set_s(std::string(value));
  }
  BodyAttribute(std::string_view name, const Ints& values) {
    start(name, onnx::AttributeProto::INTS).mutable_ints()->Assign(values.begin(), values.end());
  }
  BodyAttribute(std::string_view name, const std::vector<double>& values) {
    start(name, onnx::AttributeProto::FLOATS).mutable_floats()->Assign(values.begin(), values.end());
  }
  BodyAttribute(std::string_view name, onnx::TensorProto value) {
    *start(name, onnx::AttributeProto::TENSOR).mutable_t() = std::move(value);
  }
  BodyAttribute(std::string_view name, onnx::GraphProto value) {
    *start(name, onnx::AttributeProto::GRAPH).mutable_g() = std::move(value);
  }

  const onnx::AttributeProto& message() const { return message_; }

 private:
  onnx::AttributeProto& start(std::string_view name, onnx::AttributeProto::AttributeType type);

  onnx::AttributeProto message_;
};

// The node `outputs = op_type <attributes> (inputs)`. An operator of another domain than ai.onnx is
// written "aten.norm", as in a rule's text.
onnx::NodeProto node_of(std::string_view op_type, const Values& inputs, const Values& outputs,
                        std::initializer_list<BodyAttribute> attributes = {});

// A tensor of this element type; without dimensions it has one element.
onnx::TensorProto tensor_of(onnx::TensorProto::DataType type, const Ints& dims, const Ints& elements);
onnx::TensorProto tensor_of(onnx::TensorProto::DataType type, const Ints& dims, const std::vector<double>& elements);

// A tensor with one float in a list, which is how ConstantOfShape takes its value.
onnx::TensorProto one_float(double value);

// A formal parameter of a graph in a body: its type is left open where it is not known.
struct GraphValue {
  std::string name;
  int element_type = onnx::TensorProto::UNDEFINED;
  // Numbers or names; an empty text for a dimension that is not known; empty for rank 0.
  std::vector<std::string> dims = {};
};

// Writes what is known of the value into its declaration.
void declare(onnx::ValueInfoProto& info, const GraphValue& value);

class Body {
 public:
  // The formal parameters correspond to the inputs and outputs of the node by position.
  Body(std::string_view domain, std::string_view op_type, const Values& inputs, const Values& outputs, int opset);

  // Adds `output = op_type <attributes> (inputs)` and returns the output's name. An operator of
  // another domain, written as for node_of(), needs an import.
  std::string operator()(std::string_view output, std::string_view op_type, const Values& inputs,
                         std::initializer_list<BodyAttribute> attributes = {});
  // Adds a node with several outputs.
  void node(const Values& outputs, std::string_view op_type, const Values& inputs,
            std::initializer_list<BodyAttribute> attributes = {});
  // Says that the body grows with a list of so many tensors, as it does in any case with its inputs
  // and outputs. The rule declines to make a body that grows beyond some size because of numbers
  // that the model merely claims.
  void grows_with(std::size_t count) { most_nodes_ += nodes_of_each * count; }
  // Copies attributes of the call's node, as far as it has them, to those nodes of the body that
  // have this operator, behind their own attributes.
  void copy_attributes(const CallSite& site, std::initializer_list<std::string_view> names, std::string_view op_type);
  void add_attribute(std::string_view op_type, const BodyAttribute& attribute);

  // A graph with the nodes that `make_nodes` adds, to be an attribute of a node that is added
  // afterwards. Its nodes may use all values of the body.
  onnx::GraphProto graph(std::string_view name, const std::vector<GraphValue>& inputs,
                         const std::vector<GraphValue>& outputs, const std::function<void()>& make_nodes);

  // Each adds a constant with exactly that name: a list of integers, an int64 or a float of rank 0,
  // or any tensor.
  std::string constant(std::string_view name, const Ints& values);
  std::string constant(std::string_view name, std::integral auto value) {
    return constant(name, tensor_of(onnx::TensorProto::INT64, {}, Ints{static_cast<int64_t>(value)}));
  }
  std::string constant(std::string_view name, std::floating_point auto value) {
    return constant(name, tensor_of(onnx::TensorProto::FLOAT, {}, std::vector<double>{static_cast<double>(value)}));
  }
  std::string constant(std::string_view name, onnx::TensorProto value);
  // Adds a constant `name` that has the number in `value`, with the element type of another value.
  std::string constant_like(std::string_view name, onnx::TensorProto value, std::string_view like);

  // Adds a constant of these types and dimensions, whose elements are computed from those of a
  // constant of the model when the model is written.
  std::string derived(std::string_view name, const StoredTensor& source, onnx::TensorProto::DataType type,
                      const Ints& dims, Derivation derivation);
  // The same: the transpose of a constant of the model, taken for matrices.
  std::string transposed(std::string_view name, const StoredTensor& source, onnx::TensorProto::DataType type,
                         const Ints& dims, const StoredMatrices& matrices, Derivation derivation);

  // A name that is different for each call.
  std::string fresh(std::string_view stem);

  // The members below add a node whose output gets a fresh name that begins with `stem`,
  // and return that name.

  std::string made(std::string_view stem, std::string_view op_type, const Values& inputs,
                   std::initializer_list<BodyAttribute> attributes = {}) {
    return (*this)(fresh(stem), op_type, inputs, attributes);
  }
  // Constants: a list of integers, an integer of rank 0, a float of rank 0.
  std::string ints(const Ints& values, std::string_view stem = "ints");
  std::string scalar(int64_t value, std::string_view stem = "scalar");
  std::string float_scalar(double value, std::string_view stem = "number");
  // Says whether all values that scalar_like() gets as `like` are known to be float.
  void all_are_float(bool known) { all_are_float_ = known; }
  // A number of rank 0 with the element type of another value.
  std::string scalar_like(double value, std::string_view like, std::string_view stem = "number");
  // Dimension `axis` of a value, computed when the model runs: of rank 0, or as a
  // list with one element.
  std::string dim(std::string_view of, int axis);
  std::string dim_list(std::string_view of, int axis);
  std::string unsqueeze(std::string_view value, const Ints& axes, std::string_view stem = "unsqueezed");
  std::string reshape(std::string_view value, const Ints& shape, std::string_view stem = "reshaped");
  std::string transpose(std::string_view value, const Ints& perm, std::string_view stem = "transposed");
  // The elements from `start` up to, but not including, `end` along one axis.
  std::string slice(std::string_view value, int64_t start, int64_t end, int64_t axis, std::string_view stem = "slice");

  // See add_inputs_of_maker() in native_rule.h.
  void add_inputs_of_maker(const std::vector<std::string>& names) { onnx_lower::add_inputs_of_maker(function_, names); }

  // Imports another domain than ai.onnx, for operators that the body calls.
  void import(std::string_view domain, int64_t version);

  // The function with the nodes that were added so far.
  onnx::FunctionProto function() const& { return function_; }
  onnx::FunctionProto function() && { return std::move(function_); }

 private:
  std::string dim(std::string_view of, const std::string& shape, const std::string& index);

  onnx::FunctionProto function_;
  onnx::GraphProto* graph_ = nullptr;  // the subgraph that gets the nodes; null: the function does
  int count_ = 0;
  static constexpr std::size_t nodes_of_each = 64;
  std::size_t nodes_ = 0, most_nodes_ = std::size_t{1} << 16;
  bool all_are_float_ = false;
};

// What the shape of a Reshape says for a dimension, if the sizes of all others are known: its size
// where that is known, else -1. The size is better than -1, which Reshape cannot compute beside a
// dimension of 0, as in a batch without entries.
inline int64_t told_size(std::optional<int64_t> size) { return size && *size > 0 ? *size : -1; }

// The first of `names`, as many as `count`: the formal parameters for the inputs or outputs that
// the node has.
std::vector<std::string> first_names(std::initializer_list<std::string_view> names, int count);

}  // namespace onnx_lower

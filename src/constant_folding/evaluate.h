// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Computes the outputs of standard operators with known inputs: operators on integers and booleans
// as ONNX defines them, and those that move elements of any type. Of float and double, it computes
// what IEEE 754 defines to the last bit, so that all runtimes get the same: comparisons, sums,
// products, quotients and square roots, each rounded once, and whole numbers near a number.
// Functions such as Exp, and arithmetic in half precision, are left to the runtimes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "constant_folding/known_tensor.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A node of ai.onnx. Its inputs are asked for as they are needed.
class NodeToEvaluate {
 public:
  // `since_version` is the version of the operator that the node means.
  NodeToEvaluate(const onnx::NodeProto& node, int since_version) : node_(node), since_version_(since_version) {}
  virtual ~NodeToEvaluate() = default;

  // An input as far as its elements are known; nullptr when it is absent, or when none is known.
  virtual const KnownTensor* value(size_t input) const = 0;
  // The type of an input, whatever its elements are; nullptr when it is not known.
  virtual const onnx::TypeProto* type(size_t input) const = 0;

  int since_version() const { return since_version_; }
  size_t input_count() const { return static_cast<size_t>(node_.input_size()); }
  size_t output_count() const { return static_cast<size_t>(node_.output_size()); }
  bool has_input(size_t input) const { return input < input_count() && !node_.input(static_cast<int>(input)).empty(); }

  const onnx::AttributeProto* attribute(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t otherwise) const;
  std::optional<std::vector<int64_t>> integers(std::string_view name) const;
  // The elements of an input that is an integer tensor with all elements known.
  std::optional<std::vector<int64_t>> integers_of_input(size_t input) const;

 private:
  const onnx::NodeProto& node_;
  int since_version_;
};

// One tensor for each output; nothing when the outputs are not known, or when the node would fail.
using Evaluated = std::optional<std::vector<KnownTensor>>;

struct Evaluator {
  std::string_view op_type;
  Evaluated (*evaluate)(const NodeToEvaluate& node);
  int typed_input = -1;  // an input of which only the type is needed; -1: none
};

// nullptr for an operator that cannot be computed.
const Evaluator* evaluator_of(std::string_view op_type);

}  // namespace onnx_lower

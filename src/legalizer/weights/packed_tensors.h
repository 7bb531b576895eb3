// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Reads the nodes that unpack weights.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "legalizer/legality/known_tensors.h"
#include "legalizer/scope/graph_scope.h"
#include "legalizer/weights/packed_tensor.h"
#include "model_file/external_data.h"
#include "model_file/model.h"

namespace onnx_lower {

// The bytes of a constant's elements, wherever they lie; empty where they cannot be had.
struct ConstantData {
  int element_type = 0;
  Dims dims;
  Bytes elements = {};
};

// All arguments must outlive this.
class PackedTensors {
 public:
  PackedTensors(Model& model, const GraphScope& scope, KnownTensors& known)
      : model_(model), scope_(scope), known_(known), files_(model) {}

  // What nodes of the scope make of constants, where they only move elements, take bits out of
  // them, subtract and scale. nullptr for all other values.
  const PackedTensor* find(ValueId value);
  // The nodes that make the value, if constants alone do.
  std::vector<const Node*> makers(ValueId value) const;
  // Forgets what was found, to save memory.
  void forget() {
    found_.clear();
    places_looked_at_ = 0;
  }
  // Throws where the file with the elements cannot be read.
  ConstantData data_of(Bytes constant);

 private:
  using Tensor = std::optional<PackedTensor>;
  // A node that is looked at.
  struct Maker {
    NodeView view;
    onnx::NodeProto message;

    ValueId input(size_t index) const { return index < view.inputs.size() ? view.inputs[index] : absent_value; }
    bool is_of(std::string_view op_type) const { return message.domain().empty() && message.op_type() == op_type; }
    int64_t attribute(std::string_view name, int64_t fallback) const;
    std::vector<int64_t> attribute_ints(std::string_view name) const;
  };
  using Read = Tensor (PackedTensors::*)(const Maker& maker);
  static const std::unordered_map<std::string_view, Read>& readers();

  Tensor read(ValueId value);
  Tensor constant(ValueId value);

  Tensor same(const Maker& maker);
  Tensor cast(const Maker& maker);
  Tensor reshaped(const Maker& maker);
  Tensor flattened(const Maker& maker);
  Tensor unsqueezed(const Maker& maker);
  Tensor squeezed(const Maker& maker);
  Tensor transposed(const Maker& maker);
  Tensor expanded(const Maker& maker);
  Tensor tiled(const Maker& maker);
  Tensor gathered(const Maker& maker);
  Tensor gathered_rows(const Maker& maker);
  Tensor concatenated(const Maker& maker);
  Tensor shifted(const Maker& maker);
  Tensor divided(const Maker& maker);
  Tensor remainder(const Maker& maker);
  Tensor masked(const Maker& maker);
  Tensor joined_with_mask(const Maker& maker);
  Tensor compared(const Maker& maker);
  Tensor chosen(const Maker& maker);
  Tensor sum(const Maker& maker);
  Tensor difference(const Maker& maker);
  Tensor scaled(const Maker& maker);

  // (x + c) / powers - c, where c is 1 for negative numbers and 0 for others: how PyTorch's older
  // exporter shifts integers with a sign to the right.
  Tensor shifted_with_sign(const Maker& maker);
  Tensor with_dims(Tensor tensor, const Dims& dims) const;
  // Those of a Squeeze or an Unsqueeze, whose older versions have them in an attribute.
  std::vector<int64_t> axes_of(const Maker& maker);
  // What a node makes of codes and a constant, to whose dimensions they are broadcast.
  Tensor beside(ValueId constant, int element_type, std::optional<Codes> codes);
  // An input that is a constant of integers, or computed from such constants and shapes; nothing
  // where it has no elements.
  std::optional<Numbers> numbers(ValueId value);
  // The same of which all elements are one number.
  std::optional<int64_t> number(ValueId value);
  // A constant of one number of floating point, or of several that are the same.
  std::optional<double> real_number(ValueId value);
  // The integer that a constant says, in that type.
  std::optional<int64_t> whole_number(ValueId value, int element_type);
  // The exponents of a constant of powers of 2.
  std::optional<Numbers> exponents(ValueId value);
  // Those of what Cast and Pow make of a constant, as PyTorch's older exporter writes powers.
  std::optional<Numbers> exponents_of_two(ValueId value);
  Maker maker_of(ValueId value) const;
  std::optional<Dims> dims_of(ValueId value);

  Model& model_;
  const GraphScope& scope_;
  KnownTensors& known_;
  ExternalFiles files_;
  std::unordered_map<ValueId, Tensor> found_;
  int depth_ = 0;
  size_t places_looked_at_ = 0;
};

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/typed_elements.h"

#include <algorithm>

#include "model_file/onnx_fields.h"
#include "model_file/wire.h"

namespace onnx_lower {
namespace {

class TypedElements {
 public:
  explicit TypedElements(uint64_t element_types) : element_types_(element_types) {}

  bool in_graph(const Graph& graph) const {
    return std::ranges::any_of(graph.initializers,
                               [this](const TensorSkeleton& initializer) { return in_tensor(initializer.wire); }) ||
           std::ranges::any_of(graph.pieces, [this](const GraphPiece& piece) {
             return std::ranges::any_of(piece.nodes,
                                        [this](const Node* node) { return may_hold_any(*node) && in_node(*node); });
           });
  }

 private:
  // Most nodes hold no tensor, and a model has many nodes. A run has no node that may hold a tensor
  // of these types, see MadeRun.
  static bool may_hold_any(const Node& node) { return node.has_attributes || node.bodies != nullptr; }

  bool in_node(const Node& node) const {
    return in_attributes(node.wire) ||
           std::ranges::any_of(node.graphs(), [this](const Graph& graph) { return in_graph(graph); });
  }

  bool in_attributes(Bytes node) const {
    WireField field;
    for (WireReader fields(node); fields.next(field);) {
      if (field.tag != delimited_tag(field::Node::attribute)) continue;
      WireField part;
      for (WireReader parts(field.content); parts.next(part);) {
        const bool is_tensor =
            part.tag == delimited_tag(field::Attribute::t) || part.tag == delimited_tag(field::Attribute::tensors);
        if (is_tensor && in_tensor(part.content)) return true;
      }
    }
    return false;
  }

  bool in_tensor(Bytes tensor) const {
    uint64_t type = 0;
    WireField field;
    for (WireReader fields(tensor); fields.next(field);) {
      if (field.tag == varint_tag(field::Tensor::data_type)) type = field.value;
    }
    return is_among(element_types_, type) && !has_raw_data(tensor);
  }

  const uint64_t element_types_;
};

}  // namespace

bool has_raw_data(Bytes tensor) {
  WireField field;
  for (WireReader fields(tensor); fields.next(field);) {
    if (field.tag == delimited_tag(field::Tensor::raw_data)) return true;
  }
  return false;
}

bool has_typed_elements(const Model& model, uint64_t element_types) {
  if (element_types == 0) return false;
  const TypedElements search(element_types);
  return search.in_graph(model.graph) ||
         std::ranges::any_of(model.training_graphs, [&](const Graph& graph) { return search.in_graph(graph); }) ||
         std::ranges::any_of(model.functions, [&](const Function& function) { return search.in_graph(function.body); });
}

bool may_hold_tensor_of(Bytes made, uint64_t element_types) {
  constexpr char tag = varint_tag(field::Tensor::data_type);
  for (size_t found = made.find(tag); found != Bytes::npos; found = made.find(tag, found + 1)) {
    if (found + 1 < made.size() && is_among(element_types, static_cast<uint8_t>(made[found + 1]))) return true;
  }
  return false;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/before/dense_initializers.h"

#include <fmt/format.h>

#include <cstring>

#include "error.h"
#include "model_file/external_data.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/raw_elements.h"
#include "model_file/tensor_skeleton.h"
#include "rules/values/constant_value.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

constexpr uint64_t largest_tensor = uint64_t{1} << 31;

// Reads elements that lie in another file into the message.
void load_elements(TensorProto& tensor, ExternalFiles& files) {
  if (tensor.data_location() != TensorProto::EXTERNAL) return;
  const std::string wire = tensor.SerializeAsString();
  tensor.set_raw_data(std::string(files.elements(read_tensor_facts(wire))));
  tensor.clear_data_location();
  tensor.clear_external_data();
}

TensorProto dense_tensor(Model& model, Bytes message, std::string_view name, ExternalFiles& files) {
  const auto fail = [&](const std::string& problem) -> InvalidInput {
    return InvalidInput(fmt::format("{}: sparse initializer '{}' {}", model.input().path(), name, problem));
  };
  onnx::SparseTensorProto sparse;
  if (!parse_message(sparse, message)) throw fail("cannot be read");
  load_elements(*sparse.mutable_indices(), files);
  const std::string wire = sparse.values().SerializeAsString();
  const TensorFacts values = read_tensor_facts(wire);
  const int bits = bits_per_element(values.data_type);
  if (bits < 8) throw fail("has an element type that cannot be made dense");
  const auto indices = integer_elements(sparse.indices());
  if (!indices) throw fail("has indices that are no integers");
  const auto element = static_cast<size_t>(bits / 8);
  uint64_t count = 1;
  for (const int64_t dim : sparse.dims()) {
    if (dim < 0 || (dim > 0 && count > largest_tensor / static_cast<uint64_t>(dim)))
      throw fail("is too large to be made dense");
    count *= static_cast<uint64_t>(dim);
  }
  if (count * element > largest_tensor) throw fail("is too large to be made dense");
  const std::optional<Bytes> elements = values.external ? files.elements(values) : raw_elements(model, wire, values);
  if (!elements) throw fail("has values in segments");
  const size_t present = elements->size() / element;
  const bool linear = sparse.indices().dims_size() < 2;
  const size_t coordinates = linear ? 1 : static_cast<size_t>(sparse.dims_size());
  if (indices->size() != present * coordinates) throw fail("has not as many indices as values");

  TensorProto dense;
  *dense.mutable_dims() = sparse.dims();
  dense.set_data_type(values.data_type);
  dense.set_name(sparse.values().name());
  std::string& raw = *dense.mutable_raw_data();
  raw.assign(static_cast<size_t>(count) * element, '\0');
  for (size_t k = 0; k < present; ++k) {
    uint64_t position = 0;
    for (size_t axis = 0; axis < coordinates; ++axis) {
      const int64_t index = (*indices)[k * coordinates + axis];
      const auto extent = linear ? count : static_cast<uint64_t>(sparse.dims(static_cast<int>(axis)));
      if (index < 0 || static_cast<uint64_t>(index) >= extent)
        throw fail(fmt::format("has the index {}, which is out of its shape", index));
      position = linear ? static_cast<uint64_t>(index) : position * extent + static_cast<uint64_t>(index);
    }
    std::memcpy(raw.data() + position * element, elements->data() + k * element, element);
  }
  return dense;
}

}  // namespace

size_t densify_initializers(Model& model, Graph& graph) {
  if (graph.sparse_initializers.empty()) return 0;
  size_t made = 0;
  ExternalFiles files(model);
  for (GraphPiece& piece : graph.pieces) {
    if (piece.kind != GraphPiece::Kind::sparse_initializer) continue;
    const ValueId value = graph.sparse_initializers[made++];
    const TensorProto dense = dense_tensor(model, content_of(piece.bytes), model.value_name(value), files);
    piece = {GraphPiece::Kind::verbatim, kept_field(model, field::Graph::initializer, dense), {}};
    graph.initializers.push_back({.value = value, .wire = content_of(piece.bytes)});
    graph.changed = true;
  }
  graph.sparse_initializers.clear();
  return made;
}

}  // namespace onnx_lower

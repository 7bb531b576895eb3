// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "check/declared_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "model_file/tensor_skeleton.h"
#include "types/type_knowledge.h"

namespace onnx_lower {
namespace {

// A name or nothing for a dimension goes with any, and so does a negative number, which some exporters write for one that is not known.
bool fits(const onnx::TensorShapeProto& shape, const std::vector<int64_t>& dims) {
  return std::ranges::equal(shape.dim(), dims, [](const auto& declared, int64_t size) {
    return !declared.has_dim_value() || declared.dim_value() < 0 || declared.dim_value() == size;
  });
}

std::string shape_text(const onnx::TensorShapeProto& shape) {
  std::vector<std::string> dims;
  for (const auto& dim : shape.dim()) {
    dims.push_back(dim.has_dim_value() ? std::to_string(dim.dim_value())
                                       : (dim.dim_param().empty() ? "?" : dim.dim_param()));
  }
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

}  // namespace

std::string fault_of_default(Bytes input, Bytes initializer) {
  onnx::ValueInfoProto declared;
  if (!parse_message(declared, input) || declared.type().value_case() == onnx::TypeProto::VALUE_NOT_SET) return {};
  const TensorFacts tensor = read_tensor_facts(initializer);
  if (!declared.type().has_tensor_type()) return "is no tensor, and has a tensor as initializer";
  const onnx::TypeProto::Tensor& type = declared.type().tensor_type();
  if (type.elem_type() != tensor.data_type) {
    return fmt::format("is {}, and its initializer is {}", element_type_text(type.elem_type()),
                       element_type_text(tensor.data_type));
  }
  if (type.has_shape() && !fits(type.shape(), tensor.dims)) {
    return fmt::format("has the shape {}, and its initializer has [{}]", shape_text(type.shape()),
                       fmt::join(tensor.dims, ", "));
  }
  return {};
}

void for_each_undefined(const Graph& graph, const std::function<void(std::string_view, GraphPiece::Kind)>& visit) {
  for (const GraphPiece& piece : graph.pieces) {
    const bool may_be = piece.kind == GraphPiece::Kind::untyped_output ||
                        piece.kind == GraphPiece::Kind::untyped_value_info ||
                        piece.kind == GraphPiece::Kind::incomplete_input;
    if (!may_be || piece.bytes.empty()) continue;
    const Declaration declared = read_declaration(content_of(piece.bytes), 0);
    if (declared.type == DeclaredType::undefined) visit(declared.name, piece.kind);
  }
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/found_tensor.h"

#include <set>
#include <string>

#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

// Whether tensors may be in such a message.
bool leads_to_tensors(MessageKind kind) {
  switch (kind) {
    case MessageKind::training_info:
    case MessageKind::graph:
    case MessageKind::function:
    case MessageKind::node:
    case MessageKind::attribute:
    case MessageKind::sparse_tensor:
    case MessageKind::tensor:
      return true;
    default:
      return false;
  }
}

void visit_tensors(Model& model, const ScatteredBytes& bytes, const TensorPath& path,
                   const std::function<void(const FoundTensor&)>& visit) {
  if (path.kind == MessageKind::tensor) {
    const FoundTensor found = found_tensor(model, bytes, path.sparse_indices);
    visit(found);
    model.leave_tensor(found.wire);
    return;
  }
  std::set<uint32_t> merged;  // the numbers of singular fields
  ScatteredField field;
  for (ScatteredReader reader(bytes); reader.next(field);) {
    const std::optional<TensorPath> inner = path_to_tensors(path.kind, field);
    if (!inner) continue;
    if (!inner->singular) {
      visit_tensors(model, field.content, *inner, visit);
    } else if (merged.insert(field.number).second) {
      const std::vector<Bytes> pieces = occurrences_from(field, reader);
      visit_tensors(model, ScatteredBytes::all_of(pieces), *inner, visit);
    }
  }
}

}  // namespace

std::optional<TensorPath> path_to_tensors(MessageKind parent, const ScatteredField& field) {
  if (field.type != WireType::length_delimited) return std::nullopt;
  const FieldContent content = content_of(parent, field.number);
  if (content.kind != FieldContent::Kind::message || !leads_to_tensors(content.message)) return std::nullopt;
  const bool in_sparse_tensor = parent == MessageKind::sparse_tensor;
  const bool is_singular_attribute =
      parent == MessageKind::attribute &&
      (field.number == field::Attribute::t || field.number == field::Attribute::sparse_tensor);
  return TensorPath{content.message, in_sparse_tensor || is_singular_attribute,
                    in_sparse_tensor && field.number == field::SparseTensor::indices};
}

std::vector<Bytes> occurrences_from(const ScatteredField& field, ScatteredReader rest) {
  std::vector<Bytes> pieces;
  const auto collect = [&pieces](Bytes piece) { pieces.push_back(piece); };
  field.content.for_each_piece(collect);
  ScatteredField other;
  while (rest.next(other)) {
    if (other.number == field.number && other.type == WireType::length_delimited) other.content.for_each_piece(collect);
  }
  return pieces;
}

FoundTensor found_tensor(Model& model, const ScatteredBytes& bytes, bool sparse_indices) {
  Bytes wire;
  size_t pieces = 0;
  bytes.for_each_piece([&](Bytes piece) {
    wire = piece;
    ++pieces;
  });
  if (pieces > 1) {
    std::string joined;
    bytes.for_each_piece([&joined](Bytes piece) { joined.append(piece); });
    wire = model.keep(joined);
  }
  return {wire, sparse_indices, read_tensor_facts(wire)};
}

void for_each_tensor(Model& model, Bytes message, MessageKind kind,
                     const std::function<void(const FoundTensor&)>& visit) {
  const std::vector<Bytes> ranges = {message};
  visit_tensors(model, ScatteredBytes::all_of(ranges), {.kind = kind}, visit);
}

}  // namespace onnx_lower

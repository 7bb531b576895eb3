// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/tensor_rewriting.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "model_file/onnx_fields.h"
#include "model_file/scattered_message.h"

namespace onnx_lower {
namespace {

void append(EncodedModel& out, const ScatteredBytes& bytes) {
  bytes.for_each_piece([&out](Bytes piece) { out.append(piece); });
}

void append(EncodedModel& out, const EncodedModel& bytes) {
  for (const Bytes range : bytes.ranges) out.append(range);
}

void append_external_entry(std::string& out, std::string_view key, std::string_view value) {
  std::string entry;
  append_field(entry, field::StringPair::key, key);
  append_field(entry, field::StringPair::value, value);
  append_field(out, field::Tensor::external_data, entry);
}

bool is_about_elements(uint32_t number) {
  switch (number) {
    case field::Tensor::float_data:
    case field::Tensor::int32_data:
    case field::Tensor::int64_data:
    case field::Tensor::double_data:
    case field::Tensor::uint64_data:
    case field::Tensor::raw_data:
    case field::Tensor::external_data:
    case field::Tensor::data_location:
      return true;
    default:
      return false;
  }
}

// Whether a message of this kind may hold tensors.
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

// A field with a message that is a tensor or may hold tensors.
struct TensorPath {
  MessageKind kind;
  // Whether the field occurs at most once in a message, so that a second occurrence has to be
  // merged with the first. This is false for a field whose message has tensors only in repeated
  // fields, such as a graph: its occurrences can be looked at one by one.
  bool singular = false;
  bool sparse_indices = false;
};

// Nothing if the field cannot hold a tensor.
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

// The content of the field, and that of all later fields of the same number, which `rest`
// has still to read.
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

// The tensor in these bytes. If they are several ranges, `model` keeps a copy in one piece.
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

class Rewriter {
 public:
  Rewriter(Model& model, const ChooseElementsPlace& choose) : model_(model), choose_(choose) {}

  // Appends the message to `out`, rewritten. Returns whether it differs from what it was.
  bool message(const ScatteredBytes& bytes, MessageKind kind, EncodedModel& out);

 private:
  bool tensor(const ScatteredBytes& bytes, bool sparse_indices, EncodedModel& out);
  bool child(const ScatteredField& field, const ScatteredBytes& content, const TensorPath& path, EncodedModel& out);

  Model& model_;
  const ChooseElementsPlace& choose_;
};

bool Rewriter::tensor(const ScatteredBytes& bytes, bool sparse_indices, EncodedModel& out) {
  const FoundTensor found = found_tensor(model_, bytes, sparse_indices);
  const Bytes wire = found.wire;
  const ElementsPlace place = choose_(found);
  if (place.kind == ElementsPlace::Kind::as_they_are) {
    model_.leave_tensor(wire);
    return false;
  }
  WireField field;
  for (WireReader reader(wire); reader.next(field);) {
    if (!is_about_elements(field.number)) out.append(field.whole);
  }
  std::string added;
  if (place.kind == ElementsPlace::Kind::in_the_model) {
    append_header(added, field::Tensor::raw_data, place.elements.size());
    out.append(model_.keep(added));
    out.append(place.elements);
  } else {
    append_external_entry(added, "location", place.location);
    append_external_entry(added, "offset", fmt::format("{}", place.offset));
    if (place.length) append_external_entry(added, "length", fmt::format("{}", *place.length));
    append_field(added, field::Tensor::data_location, uint64_t{onnx::TensorProto::EXTERNAL});
    out.append(model_.keep(added));
  }
  model_.leave_tensor(wire);
  return true;
}

bool Rewriter::child(const ScatteredField& field, const ScatteredBytes& content, const TensorPath& path,
                     EncodedModel& out) {
  EncodedModel inner;
  const bool changed = path.kind == MessageKind::tensor ? tensor(content, path.sparse_indices, inner)
                                                        : message(content, path.kind, inner);
  if (!changed) return false;
  std::string header;
  append_header(header, field.number, inner.size);
  out.append(model_.keep(header));
  append(out, inner);
  return true;
}

bool Rewriter::message(const ScatteredBytes& bytes, MessageKind kind, EncodedModel& out) {
  bool changed = false;
  // The singular fields so far, and whether their occurrences were rewritten as one message.
  std::map<uint32_t, bool> decided;
  ScatteredField field;
  for (ScatteredReader reader(bytes); reader.next(field);) {
    const std::optional<TensorPath> found = path_to_tensors(kind, field);
    if (!found) {
      append(out, field.whole);
      continue;
    }
    if (!found->singular) {
      if (child(field, field.content, *found, out)) {
        changed = true;
      } else {
        append(out, field.whole);
      }
      continue;
    }
    // Each occurrence is treated as the first one was.
    if (const auto done = decided.find(field.number); done != decided.end()) {
      if (!done->second) append(out, field.whole);
      continue;
    }
    const std::vector<Bytes> pieces = occurrences_from(field, reader);
    const bool rewritten = child(field, ScatteredBytes::all_of(pieces), *found, out);
    if (!rewritten) append(out, field.whole);
    decided.emplace(field.number, rewritten);
    changed |= rewritten;
  }
  return changed;
}

}  // namespace

void for_each_tensor(Model& model, Bytes message, MessageKind kind,
                     const std::function<void(const FoundTensor&)>& visit) {
  const ChooseElementsPlace look = [&visit](const FoundTensor& tensor) {
    visit(tensor);
    return ElementsPlace();
  };
  EncodedModel unchanged;
  Rewriter(model, look).message(ScatteredBytes::all_of({&message, 1}), kind, unchanged);
}

EncodedModel rewrite_tensors(Model& model, const EncodedModel& encoded, const ChooseElementsPlace& choose) {
  EncodedModel rewritten;
  const bool changed =
      Rewriter(model, choose).message(ScatteredBytes::all_of(encoded.ranges), MessageKind::model, rewritten);
  return changed ? rewritten : encoded;
}

}  // namespace onnx_lower

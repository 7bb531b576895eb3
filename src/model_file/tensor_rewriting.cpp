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

class Rewriter {
 public:
  Rewriter(Model& model, const ChooseElementsPlace& choose) : model_(model), choose_(choose) {}

  // Appends the message to `out`; whether it differs from what it was.
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
  std::map<uint32_t, bool> decided;  // of singular fields: whether their occurrences were rewritten as one
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
    // The first occurrence decides for all of them.
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

EncodedModel rewrite_tensors(Model& model, const EncodedModel& encoded, const ChooseElementsPlace& choose) {
  EncodedModel rewritten;
  const bool changed =
      Rewriter(model, choose).message(ScatteredBytes::all_of(encoded.ranges), MessageKind::model, rewritten);
  return changed ? rewritten : encoded;
}

}  // namespace onnx_lower

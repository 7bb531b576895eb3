// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/scope/graph_declarations.h"

#include <fmt/format.h>

#include <algorithm>

#include "error.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

int declared_element_type(const ValueInfo& declaration) {
  int type = 0;
  WireField field;
  for (WireReader info(declaration.wire); info.next(field);) {
    if (field.tag != delimited_tag(field::ValueInfo::type)) continue;
    WireField kind;
    for (WireReader reader(field.content); reader.next(kind);) {
      if (kind.tag != delimited_tag(field::Type::tensor_type)) continue;
      WireField part;
      for (WireReader tensor(kind.content); tensor.next(part);) {
        if (part.tag == varint_tag(field::Type::tensor_elem_type)) type = static_cast<int>(part.value);
      }
    }
  }
  return type;
}

void GraphDeclarations::index() const {
  std::vector<Declaration>& all = declarations_.emplace();
  all.reserve(graph_.inputs.size() + graph_.initializers.size() + graph_.value_infos.size() + graph_.outputs.size());
  for (size_t index = 0; index < graph_.inputs.size(); ++index) {
    all.push_back({.value = graph_.inputs[index].value,
                   .type_holder = graph_.inputs[index].wire,
                   .input_index = static_cast<int>(index)});
  }
  for (const TensorSkeleton& initializer : graph_.initializers)
    all.push_back({.value = initializer.value, .initializer = initializer.wire, .external = initializer.external});
  for (const ValueInfo& info : graph_.value_infos) all.push_back({.value = info.value, .type_holder = info.wire});
  for (const ValueInfo& output : graph_.outputs) all.push_back({.value = output.value, .type_holder = output.wire});
  if (all.size() < 2) return;  // most branches declare one value only
  // An input's own type goes before that of a value_info or an output of the same name.
  std::ranges::stable_sort(all, {}, &Declaration::value);
  size_t kept = 0;
  for (const Declaration& declaration : all) {
    if (kept == 0 || all[kept - 1].value != declaration.value) {
      all[kept++] = declaration;
      continue;
    }
    Declaration& same = all[kept - 1];
    if (same.type_holder.data() == nullptr) same.type_holder = declaration.type_holder;
    if (declaration.has_initializer()) {
      same.initializer = declaration.initializer;
      same.external = declaration.external;
    }
  }
  all.resize(kept);
}

const GraphDeclarations::Declaration* GraphDeclarations::find(ValueId value) const {
  // An initializer that was added has its own type, whatever else the graph declares of its name.
  if (!declarations_of_added_.empty()) {
    const auto added = declarations_of_added_.find(value);
    if (added != declarations_of_added_.end()) return &added->second;
  }
  if (!declarations_) index();
  const auto found = std::ranges::lower_bound(*declarations_, value, {}, &Declaration::value);
  return found == declarations_->end() || found->value != value ? nullptr : &*found;
}

const onnx::TypeProto* GraphDeclarations::type(ValueId value) const {
  const Declaration* declared = find(value);
  if (declared == nullptr) return nullptr;
  const auto found = types_.find(declared->value);
  if (found != types_.end()) return &found->second;
  // Many declarations have a name only: those of a subgraph's outputs mostly do.
  const bool has_type = !last_field(declared->type_holder, delimited_tag(field::ValueInfo::type)).empty();
  onnx::ValueInfoProto info;
  if (has_type && parse_message(info, declared->type_holder) && info.has_type())
    return &types_.emplace(declared->value, info.type()).first->second;
  // Not remembered, as a graph may have a hundred thousand outputs without a type.
  if (!declared->has_initializer()) return nullptr;
  const TensorFacts tensor = read_tensor_facts(declared->initializer);
  return &types_.emplace(declared->value, tensor_type(tensor.data_type, tensor.dims)).first->second;
}

int GraphDeclarations::element_type(ValueId value) const {
  const onnx::TypeProto* type = this->type(value);
  const int element_type = type != nullptr && type->has_tensor_type() ? type->tensor_type().elem_type() : 0;
  return onnx::TensorProto::DataType_IsValid(element_type) ? element_type : 0;
}

const onnx::TensorProto* GraphDeclarations::constant(const Declaration& initializer, size_t most_bytes) const {
  if (is_replaceable(initializer) || initializer.external || initializer.initializer.size() > most_bytes)
    return nullptr;
  const auto [found, inserted] = initializers_.try_emplace(initializer.value);
  if (inserted && !parse_message(found->second, initializer.initializer)) {
    throw InvalidInput(fmt::format("{}: initializer '{}' cannot be read", model_.input().path(),
                                   model_.value_name(initializer.value)));
  }
  return &found->second;
}

void GraphDeclarations::add(const TensorSkeleton& initializer) {
  declarations_of_added_.emplace(
      initializer.value,
      Declaration{.value = initializer.value, .initializer = initializer.wire, .external = initializer.external});
  added_.push_back(initializer);
}

void GraphDeclarations::take_back(size_t count) {
  for (; added_.size() > count; added_.pop_back()) {
    const ValueId value = added_.back().value;
    declarations_of_added_.erase(value);
    initializers_.erase(value);
    types_.erase(value);
  }
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Constants, and nodes that move elements.

#include "legalizer/weights/packed_tensors.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "model_file/raw_elements.h"
#include "model_file/tensor_skeleton.h"
#include "rules/values/constant_value.h"
#include "standard_operators/node_attribute.h"

namespace onnx_lower {
namespace {

// How many nodes may stand one behind another: more than any exporter writes to unpack weights.
constexpr int deepest_unpacking = 128;

// How many places the axes of all tensors may have between two products.
constexpr size_t most_places = size_t{1} << 26;

// Larger constants are weights, and no shapes, masks or indices.
constexpr size_t most_numbers = size_t{1} << 22;

// The integers of a constant's elements, of uint64 their bits; nothing for other elements.
std::vector<int64_t> integers_of(const ConstantData& data) {
  if (!is_integer(data.element_type)) return {};
  onnx::TensorProto tensor;
  const bool is_uint64 = data.element_type == onnx::TensorProto::UINT64;
  tensor.set_data_type(is_uint64 ? onnx::TensorProto::INT64 : data.element_type);
  tensor.mutable_dims()->Assign(data.dims.begin(), data.dims.end());
  tensor.set_raw_data(data.elements.data(), data.elements.size());
  return integer_elements(tensor).value_or(std::vector<int64_t>());
}

// Axes counted from the first one, in order; nothing where one does not exist.
std::optional<std::vector<int64_t>> axes_from_first(std::vector<int64_t> axes, size_t rank) {
  for (int64_t& axis : axes) {
    if (axis < 0) axis += static_cast<int64_t>(rank);
    if (axis < 0 || std::cmp_greater_equal(axis, rank)) return std::nullopt;
  }
  std::ranges::sort(axes);
  return axes;
}

}  // namespace

int64_t PackedTensors::Maker::attribute(std::string_view name, int64_t fallback) const {
  const onnx::AttributeProto* found = find_attribute(message, name);
  return found == nullptr ? fallback : found->i();
}

std::vector<int64_t> PackedTensors::Maker::attribute_ints(std::string_view name) const {
  const onnx::AttributeProto* found = find_attribute(message, name);
  return found == nullptr ? std::vector<int64_t>() : std::vector<int64_t>(found->ints().begin(), found->ints().end());
}

PackedTensors::Maker PackedTensors::maker_of(ValueId value) const {
  const NodeView view = scope_.producer(value);
  return {view, view ? scope_.message(view) : onnx::NodeProto()};
}

const PackedTensor* PackedTensors::find(ValueId value) {
  if (value == absent_value || depth_ >= deepest_unpacking) return nullptr;
  if (const auto known = found_.find(value); known != found_.end()) return known->second ? &*known->second : nullptr;
  ++depth_;
  Tensor tensor = read(value);
  --depth_;
  if (tensor) {
    for (const int64_t dim : tensor->dims()) places_looked_at_ += static_cast<size_t>(dim);
    if (places_looked_at_ > most_places) tensor.reset();
  }
  Tensor& kept = found_[value];
  kept = std::move(tensor);
  return kept ? &*kept : nullptr;
}

PackedTensors::Tensor PackedTensors::read(ValueId value) {
  if (!scope_.defines(value)) return std::nullopt;
  if (!scope_.wire_of_visible_constant(value).empty()) return constant(value);
  const Maker maker = maker_of(value);
  if (!maker.view || maker.view.has_bodies || !maker.message.domain().empty() || maker.view.outputs.size() != 1)
    return std::nullopt;
  const auto reader = readers().find(maker.message.op_type());
  return reader == readers().end() ? std::nullopt : (this->*reader->second)(maker);
}

PackedTensors::Tensor PackedTensors::constant(ValueId value) {
  const Bytes wire = scope_.wire_of_visible_constant(value);
  const TensorFacts facts = read_tensor_facts(wire);
  const int bits = bits_per_element(facts.data_type);
  if (bits < 8) return std::nullopt;
  std::optional<ElementPlaces> places = ElementPlaces::of_constant(facts.dims, bits);
  if (!places) return std::nullopt;
  const Codes::Above above = is_signed_integer(facts.data_type) ? Codes::Above::sign : Codes::Above::zeros;
  return PackedTensor{.element_type = facts.data_type,
                      .codes = {.constant = wire, .places = *std::move(places), .bits = bits, .above = above}};
}

ConstantData PackedTensors::data_of(Bytes constant) {
  const TensorFacts facts = read_tensor_facts(constant);
  ConstantData data{.element_type = facts.data_type, .dims = facts.dims};
  data.elements = facts.external ? files_.elements(facts) : raw_elements(model_, constant, facts).value_or(Bytes());
  return data;
}

std::vector<const Node*> PackedTensors::makers(ValueId value) const {
  std::vector<const Node*> nodes;
  std::unordered_set<ValueId> seen = {value};
  std::vector<ValueId> open = {value};
  while (!open.empty()) {
    const ValueId next = open.back();
    open.pop_back();
    const Node* maker = next == absent_value ? nullptr : scope_.maker(next);
    if (maker == nullptr) continue;
    nodes.push_back(maker);
    for (const ValueId input : maker->inputs()) {
      if (seen.insert(input).second) open.push_back(input);
    }
  }
  return nodes;
}

std::optional<Numbers> PackedTensors::numbers(ValueId value) {
  if (value == absent_value) return std::nullopt;
  if (const KnownTensor* known = known_.find(scope_, value)) {
    if (!known->is_known() || !is_integer(known->element_type)) return std::nullopt;
    Numbers numbers{.element_type = known->element_type, .dims = known->dims, .all = {}};
    for (const std::optional<int64_t>& element : known->elements) numbers.all.push_back(*element);
    return numbers.all.empty() ? std::nullopt : std::optional(std::move(numbers));
  }
  const Bytes wire = scope_.wire_of_visible_constant(value);
  if (wire.empty() || read_tensor_facts(wire).element_count > most_numbers) return std::nullopt;
  const ConstantData data = data_of(wire);
  Numbers numbers{.element_type = data.element_type, .dims = data.dims, .all = integers_of(data)};
  return numbers.all.empty() ? std::nullopt : std::optional(std::move(numbers));
}

std::optional<int64_t> PackedTensors::number(ValueId value) {
  const std::optional<Numbers> all = numbers(value);
  const bool is_one = all && std::ranges::all_of(all->all, [&](int64_t each) { return each == all->all[0]; });
  // What 63 bits do not hold is no number of weights.
  if (is_one && all->element_type == onnx::TensorProto::UINT64 && all->all[0] < 0) return std::nullopt;
  return is_one ? std::optional(all->all[0]) : std::nullopt;
}

std::optional<Dims> PackedTensors::dims_of(ValueId value) {
  if (const Bytes wire = scope_.wire_of_visible_constant(value); !wire.empty()) return read_tensor_facts(wire).dims;
  if (const PackedTensor* tensor = find(value)) return tensor->dims();
  const KnownTensor* known = known_.find(scope_, value);
  return known == nullptr ? std::nullopt : std::optional(known->dims);
}

PackedTensors::Tensor PackedTensors::with_dims(Tensor tensor, const Dims& dims) const {
  if (!tensor) return std::nullopt;
  return with_places(*std::move(tensor), [&](const ElementPlaces& places) { return places.broadcast(dims); });
}

PackedTensors::Tensor PackedTensors::same(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  return tensor == nullptr ? std::nullopt : std::optional(*tensor);
}

PackedTensors::Tensor PackedTensors::reshaped(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<Numbers> shape = tensor == nullptr ? std::nullopt : numbers(maker.input(1));
  if (!shape) return std::nullopt;
  const Dims before = tensor->dims();
  Dims dims = shape->all;
  int64_t left = 1;  // elements for the dimension of which the shape says nothing
  for (const int64_t dim : before) left *= dim;
  int64_t* open = nullptr;
  for (size_t index = 0; index < dims.size(); ++index) {
    if (dims[index] == 0 && maker.attribute("allowzero", 0) == 0 && index < before.size()) dims[index] = before[index];
    if (dims[index] == -1 && open == nullptr) {
      open = &dims[index];
    } else if (dims[index] <= 0 || left % dims[index] != 0) {
      return std::nullopt;
    } else {
      left /= dims[index];
    }
  }
  if (open != nullptr) *open = left;
  if (open == nullptr && left != 1) return std::nullopt;
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.reshaped(dims); });
}

PackedTensors::Tensor PackedTensors::flattened(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  if (tensor == nullptr) return std::nullopt;
  const Dims before = tensor->dims();
  int64_t axis = maker.attribute("axis", 1);
  if (axis < 0) axis += static_cast<int64_t>(before.size());
  if (axis < 0 || std::cmp_greater(axis, before.size())) return std::nullopt;
  Dims dims = {1, 1};
  for (size_t index = 0; index < before.size(); ++index) dims[std::cmp_less(index, axis) ? 0 : 1] *= before[index];
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.reshaped(dims); });
}

std::vector<int64_t> PackedTensors::axes_of(const Maker& maker) {
  if (maker.input(1) == absent_value) return maker.attribute_ints("axes");
  return numbers(maker.input(1)).value_or(Numbers()).all;
}

PackedTensors::Tensor PackedTensors::unsqueezed(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  if (tensor == nullptr) return std::nullopt;
  const std::vector<int64_t> given = axes_of(maker);
  Dims dims = tensor->dims();
  const auto axes = axes_from_first(given, dims.size() + given.size());
  if (!axes || axes->empty()) return std::nullopt;
  for (const int64_t axis : *axes) {
    if (std::cmp_greater(axis, dims.size())) return std::nullopt;
    dims.insert(dims.begin() + axis, 1);
  }
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.reshaped(dims); });
}

PackedTensors::Tensor PackedTensors::squeezed(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  if (tensor == nullptr) return std::nullopt;
  const std::vector<int64_t> given = axes_of(maker);
  Dims dims = tensor->dims();
  const auto axes = axes_from_first(given, dims.size());
  if (!axes || axes->empty()) return std::nullopt;
  for (size_t index = axes->size(); index-- > 0;) {
    const auto axis = static_cast<size_t>((*axes)[index]);
    if (axis >= dims.size() || dims[axis] != 1) return std::nullopt;
    dims.erase(dims.begin() + (*axes)[index]);
  }
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.reshaped(dims); });
}

PackedTensors::Tensor PackedTensors::transposed(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  if (tensor == nullptr) return std::nullopt;
  std::vector<int64_t> perm = maker.attribute_ints("perm");
  if (perm.empty()) {
    for (auto axis = static_cast<int64_t>(tensor->dims().size()); axis-- > 0;) perm.push_back(axis);
  }
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.transposed(perm); });
}

PackedTensors::Tensor PackedTensors::expanded(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<Numbers> shape = tensor == nullptr ? std::nullopt : numbers(maker.input(1));
  const std::optional<Dims> dims = shape ? broadcast_dims(tensor->dims(), shape->all) : std::nullopt;
  return dims ? with_dims(*tensor, *dims) : std::nullopt;
}

PackedTensors::Tensor PackedTensors::tiled(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<Numbers> repeats = tensor == nullptr ? std::nullopt : numbers(maker.input(1));
  if (!repeats) return std::nullopt;
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.tiled(repeats->all); });
}

PackedTensors::Tensor PackedTensors::gathered(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<Numbers> indices = tensor == nullptr ? std::nullopt : numbers(maker.input(1));
  if (!indices || indices->dims.size() != 1) return std::nullopt;
  int64_t axis = maker.attribute("axis", 0);
  if (axis < 0) axis += static_cast<int64_t>(tensor->dims().size());
  return with_places(
      *tensor, [&](const ElementPlaces& places) { return places.gathered(static_cast<size_t>(axis), indices->all); });
}

// GatherND of whole rows.
PackedTensors::Tensor PackedTensors::gathered_rows(const Maker& maker) {
  const PackedTensor* tensor = find(maker.input(0));
  const std::optional<Numbers> indices = tensor == nullptr ? std::nullopt : numbers(maker.input(1));
  if (!indices || indices->dims.size() != 2 || indices->dims[1] != 1 || maker.attribute("batch_dims", 0) != 0)
    return std::nullopt;
  return with_places(*tensor, [&](const ElementPlaces& places) { return places.gathered(0, indices->all); });
}

PackedTensors::Tensor PackedTensors::concatenated(const Maker& maker) {
  const PackedTensor* first = find(maker.input(0));
  if (first == nullptr || !first->has_only_codes()) return std::nullopt;
  Tensor joined = *first;
  int64_t axis = maker.attribute("axis", 0);
  if (axis < 0) axis += static_cast<int64_t>(joined->dims().size());
  for (size_t index = 1; index < maker.view.inputs.size(); ++index) {
    const PackedTensor* next = find(maker.input(index));
    if (next == nullptr || !next->has_only_codes()) return std::nullopt;
    std::optional<ElementPlaces> places =
        joined->codes.places.concatenated(next->codes.places, static_cast<size_t>(axis));
    Codes alike = next->codes;
    alike.places = joined->codes.places;
    if (!places || alike != joined->codes) return std::nullopt;
    joined->codes.places = *std::move(places);
  }
  return joined;
}

}  // namespace onnx_lower

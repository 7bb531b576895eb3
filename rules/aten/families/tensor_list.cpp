// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "tensor_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "element_types.h"

namespace onnx_lower {

std::vector<ListedTensor> listed_tensors(const CallSite& site) {
  const std::optional<int> size = site.list_size(0);
  if (!size) decline("input 0 is not a list that a SequenceConstruct before the node makes");
  if (*size == 0) decline("the list is empty");
  std::vector<ListedTensor> tensors;
  for (int item = 0; item < *size; ++item) {
    const auto type = site.item_dtype(0, item);
    const auto rank = site.item_rank(0, item);
    if (!type) decline(fmt::format("the type of tensor {} of the list is not known", item));
    if (!category_of(*type)) decline(fmt::format("PyTorch does not promote the type of tensor {}", item));
    if (!rank) decline(fmt::format("the rank of tensor {} of the list is not known", item));
    tensors.push_back({*type, *rank});
  }
  return tensors;
}

ListAlongDimension list_along_dimension(const CallSite& site) {
  return {.tensors = listed_tensors(site), .dim = site.need_number(1, 0)};
}

int common_type(const std::vector<ListedTensor>& tensors, NumbersCount numbers) {
  TypedOperand common;
  for (const ListedTensor& tensor : tensors) {
    const TypedOperand operand{tensor.element_type, tensor.rank == 0 && numbers == NumbersCount::as_numbers};
    common = common.element_type == onnx::TensorProto::UNDEFINED ? operand : common_type(common, operand);
  }
  return common.element_type;
}

bool have_one_type(const std::vector<ListedTensor>& tensors) {
  return std::ranges::all_of(
      tensors, [&](const ListedTensor& tensor) { return tensor.element_type == tensors.front().element_type; });
}

void take_out(const CallSite& site, Body& body, const std::vector<ListedTensor>& tensors, int element_type) {
  const bool takes_apart = site.may_take_lists_apart();
  body.grows_with(tensors.size());
  std::vector<std::string> taken = numbered("x", tensors.size());
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string name = taken[item];
    if (tensors[item].element_type != element_type) {
      taken[item] += "_as_it_is";
      if (takes_apart) body(name, "Cast", {taken[item]}, {{"to", element_type}});
    }
  }
  if (takes_apart) {
    body.add_inputs_of_maker(taken);
    return;
  }
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string name = fmt::format("x{}", item);
    body.constant(name + "_at", item);
    body(taken[item], "SequenceAt", {"list", name + "_at"});
    if (taken[item] != name) body(name, "Cast", {taken[item]}, {{"to", element_type}});
  }
}

std::vector<std::string> numbered(std::string_view name, size_t count) {
  std::vector<std::string> names;
  for (size_t item = 0; item < count; ++item) names.push_back(fmt::format("{}{}", name, item));
  return names;
}

void append_grids(Body& body, size_t count) {
  // PyTorch does not make tensors of more dimensions either.
  constexpr size_t most_dimensions = 64;
  if (count > most_dimensions) decline(fmt::format("its grids would have {} dimensions", count));
  if (count > 1) body.constant("one", Ints{1});
  body.constant("rest", Ints{-1});
  for (size_t item = 0; item < count; ++item) {
    const std::string n = fmt::to_string(item);
    body("v" + n, "Reshape", {"x" + n, "rest"});
    body("n" + n, "Shape", {"v" + n});
  }
  body("full", "Concat", numbered("n", count), {{"axis", 0}});
  for (size_t item = 0; item < count; ++item) {
    const std::string n = fmt::to_string(item);
    std::vector<std::string> shape(count, "one");
    shape[item] = "rest";
    body("s" + n, "Concat", shape, {{"axis", 0}});
    body("r" + n, "Reshape", {"v" + n, "s" + n});
    body("g" + n, "Expand", {"r" + n, "full"});
  }
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "tensor_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string taken_out(std::string_view list, const std::vector<ListedTensor>& tensors, int element_type) {
  std::string text;
  for (size_t item = 0; item < tensors.size(); ++item) {
    const bool casts = tensors[item].element_type != element_type;
    text +=
        fmt::format("  x{0}_at = Constant <value: tensor = int64 {{{0}}}> ()\n  x{0}{1} = SequenceAt ({2}, x{0}_at)\n",
                    item, casts ? "_as_it_is" : "", list);
    if (casts) text += fmt::format("  x{0} = Cast <to = {1}> (x{0}_as_it_is)\n", item, element_type);
  }
  return text;
}

std::string numbered(std::string_view name, size_t count) {
  std::string text;
  for (size_t item = 0; item < count; ++item) text += fmt::format("{}{}{}", item == 0 ? "" : ", ", name, item);
  return text;
}

Lowering stacked(const CallSite& site, std::string_view op_type, AddedAxes added_axes, int axis) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  std::string body = taken_out("list", tensors, common_type(tensors, NumbersCount::as_tensors));
  std::string parts;
  int rank = 0;
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::vector<int64_t> axes = added_axes(tensors[item].rank);
    const int new_rank = tensors[item].rank + static_cast<int>(axes.size());
    if (item == 0) rank = new_rank;
    if (new_rank != rank) return Declined{fmt::format("tensors 0 and {} of the list do not fit by their ranks", item)};
    if (!axes.empty()) {
      body += fmt::format("  a{0} = Constant <value_ints: ints = [{1}]> ()\n  p{0} = Unsqueeze (x{0}, a{0})\n", item,
                          fmt::join(axes, ", "));
    }
    parts += fmt::format("{}{}{}", item == 0 ? "" : ", ", axes.empty() ? "x" : "p", item);
  }
  body += fmt::format("  y = Concat <axis = {}> ({})\n", std::min(axis, rank - 1), parts);
  return function_from_text(
      fmt::format("<domain: \"aten\", opset_import: [\"\" : 18]> {} (list) => (y) {{\n{}}}", op_type, body));
}

std::string grids(size_t count) {
  std::string text = "  one = Constant <value_ints = [1]> ()\n  rest = Constant <value_ints = [-1]> ()\n";
  for (size_t item = 0; item < count; ++item)
    text += fmt::format("  v{0} = Reshape (x{0}, rest)\n  n{0} = Shape (v{0})\n", item);
  text += fmt::format("  full = Concat <axis = 0> ({})\n", numbered("n", count));
  for (size_t item = 0; item < count; ++item) {
    std::string shape;
    for (size_t axis = 0; axis < count; ++axis)
      shape += fmt::format("{}{}", axis == 0 ? "" : ", ", axis == item ? "rest" : "one");
    text += fmt::format(
        "  s{0} = Concat <axis = 0> ({1})\n  r{0} = Reshape (v{0}, s{0})\n  g{0} = Expand (r{0}, full)\n", item, shape);
  }
  return text;
}

}  // namespace onnx_lower

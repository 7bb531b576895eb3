// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/native_rule.h"

namespace onnx_lower {
namespace {

std::string outputs_of(const CallSite& site) {
  std::vector<std::string> names;
  for (int i = 0; i < site.output_count(); ++i) names.push_back(fmt::format("part{}", i));
  return fmt::format("{}", fmt::join(names, ", "));
}

Lowering function(const CallSite& site, int opset, const std::string& body) {
  return function_from_text(
      fmt::format(R"(<domain: "ai.onnx", opset_import: ["" : {}]> Split (input{}) => ({}) {{ {} }})", opset,
                  site.input_count() > 1 ? ", split" : "", outputs_of(site), body));
}

// The parts' sizes are constants: an attribute below 13, an input from 13 on.
Lowering with_sizes(const CallSite& site, int64_t axis, const std::vector<int64_t>& sizes) {
  if (sizes.size() != static_cast<size_t>(site.output_count())) return Declined{"it has not as many outputs as sizes"};
  const std::string list = fmt::format("{}", fmt::join(sizes, ", "));
  if (site.opset() < 13) {
    return function(site, 11,
                    fmt::format("{} = Split <axis = {}, split: ints = [{}]> (input)", outputs_of(site), axis, list));
  }
  return function(site, 13,
                  fmt::format("sizes = Constant <value = int64[{}] {{{}}}> () {} = Split <axis = {}> (input, sizes)",
                              sizes.size(), list, outputs_of(site), axis));
}

// Each part is cut out by itself, from where the one before it ended.
std::string cut_out(int count, int64_t axis, const std::string& size_of_part) {
  std::string body =
      fmt::format("axis = Constant <value = int64[1] {{{}}}> () end = Constant <value = int64[1] {{0}}> ()", axis);
  std::string begin = "end";
  for (int i = 0; i < count; ++i) {
    body += fmt::vformat(size_of_part, fmt::make_format_args(i));
    body += fmt::format(" end{0} = Add ({1}, size{0}) part{0} = Slice (input, {1}, end{0}, axis)", i, begin);
    begin = fmt::format("end{}", i);
  }
  return body;
}

Lowering with_size_input(const CallSite& site, int64_t axis) {
  if (const auto sizes = site.constant_ints(1)) return with_sizes(site, axis, *sizes);
  return function(
      site, 10,
      cut_out(site.output_count(), axis,
              " index{0} = Constant <value = int64[1] {{{0}}}> () size{0} = Gather <axis = 0> (split, index{0})"));
}

// Equal parts, of which the last may be smaller from opset 18 on.
Lowering with_count(const CallSite& site, int64_t axis, int64_t count) {
  if (count != site.output_count() || count < 1) {
    return Declined{fmt::format("num_outputs is {}, and it has {} outputs", count, site.output_count())};
  }
  // Where there are too few elements for that, as in a branch that is for another size, the last parts have none.
  const int64_t size = site.dim(0, static_cast<int>(axis)).value_or(-1);
  const int64_t part = (size + count - 1) / count;
  if (size >= 0 && part * (count - 1) <= size) {
    std::vector<int64_t> sizes(static_cast<size_t>(count), part);
    sizes.back() = size - part * (count - 1);
    return with_sizes(site, axis, sizes);
  }
  return function(
      site, 10,
      fmt::format(R"(shape = Shape (input)
      place = Constant <value = int64[1] {{{}}}> ()
      total = Gather <axis = 0> (shape, place)
      count = Constant <value = int64[1] {{{}}}> ()
      rest = Constant <value = int64[1] {{{}}}> ()
      rounded = Add (total, rest)
      size = Div (rounded, count)
      {})",
                  axis, count, count - 1, cut_out(site.output_count(), axis, " size{0} = Identity (size)")));
}

Lowering lower(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", 0);
  if (site.attribute("split") != nullptr) return with_sizes(site, axis, site.attribute_ints("split", {}));
  if (site.has_input(1)) return with_size_input(site, axis);
  const int64_t count = site.attribute_int("num_outputs", site.output_count());
  if (site.opset() < 18) return with_count(site, axis, count);
  return function(site, 18,
                  fmt::format("{} = Split <axis = {}, num_outputs = {}> (input)", outputs_of(site), axis, count));
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "Split",
    .summary = "The sizes are an attribute below 13 and an input from 13 on; num_outputs is new in 18.",
    .source = "ONNX Split-2, Split-13, Split-18",
    .attributes = "axis, split, num_outputs",
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

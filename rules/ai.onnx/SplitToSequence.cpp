// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_SplitToSequence {
namespace {

// How many outputs the Split may have.
constexpr int64_t most_parts = 1024;

void expect_parts(int64_t count) {
  if (count < 1 || count > most_parts)
    decline(fmt::format("it has {} parts, and a Split is written for 1 to {}", count, most_parts));
}

// The sizes of all parts. Their number has to be known: by the number of sizes that are given, or
// by the size of the dimension and that of one part.
Ints sizes_of(const CallSite& site, int64_t axis) {
  if (site.has_input(1) && site.need_rank(1) > 0) {
    if (site.need_rank(1) > 1) decline(fmt::format("its split has {} dimensions", site.need_rank(1)));
    const Ints split = site.need_ints(1);
    expect_parts(static_cast<int64_t>(split.size()));
    return split;
  }
  const int64_t part = site.has_input(1) ? site.need_number(1, 0) : 1;
  const int64_t size = site.need_dim(0, static_cast<int>(axis));
  if (part < 1) decline(fmt::format("parts of {} elements are none", part));
  expect_parts(size / part + (size % part != 0));
  Ints sizes(static_cast<size_t>(size / part), part);
  if (size % part != 0) sizes.push_back(size % part);
  return sizes;
}

Lowering lower(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", 0);
  const Ints sizes = sizes_of(site, axis);
  std::vector<std::string> parts, items;
  for (size_t i = 0; i < sizes.size(); ++i) parts.push_back(fmt::format("part{}", i));
  Body body("ai.onnx", "SplitToSequence", first_names({"input", "split"}, site.input_count()), {"output_sequence"}, 13);
  body.constant("sizes", sizes);
  body.node(parts, "Split", {"input", "sizes"}, {{"axis", axis}});
  // `keepdims` is for parts of one element that no `split` asks for.
  if (!site.has_input(1) && site.attribute_int("keepdims", 1) == 0) {
    body.constant("axes", Ints{axis});
    for (const std::string& part : parts) items.push_back(body(part + "_item", "Squeeze", {part, "axes"}));
  } else {
    items = parts;
  }
  body("output_sequence", "SequenceConstruct", items);
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "SplitToSequence",
    .summary =
        "A Split into as many parts as there are, whose list a SequenceAt with a constant position does not need.",
    .source = "ONNX SplitToSequence-11, SplitToSequence-24",
    .attributes = "axis, keepdims",
    .inputs = "input, split",
    .needed_inputs = 1,
    .most_inputs = 2,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_SplitToSequence

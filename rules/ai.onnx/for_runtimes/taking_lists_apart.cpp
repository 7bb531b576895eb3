// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sequences for runtimes that have none: elements of a sequence that a SequenceConstruct makes are
// taken from that node's inputs, so that nothing needs the sequence.
#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_taking_lists_apart {
namespace {

int need_list(const CallSite& site) {
  const std::optional<int> size = site.list_size(0);
  if (!size) decline("input 0 is not a list that a SequenceConstruct before the node makes");
  return *size;
}

Lowering item(const CallSite& site) {
  const int64_t size = need_list(site), position = site.need_number(1, 0);
  if (position < -size || position >= size) return Declined{fmt::format("the list has no tensor {}", position)};
  Body body("ai.onnx", "SequenceAt", {"input_sequence", "position"}, {"tensor"}, 13);
  body("item", "SequenceAt", {"input_sequence", "position"});
  body("tensor", "Identity", {"item"});
  return body.function();
}

Lowering concatenation(const CallSite& site) {
  const int size = need_list(site);
  if (size == 0) return Declined{"the list is empty"};
  const int64_t axis = site.attribute_int("axis", 0);
  Body body("ai.onnx", "ConcatFromSequence", {"input_sequence"}, {"concat_result"}, 13);
  body.grows_with(static_cast<size_t>(size));
  std::vector<std::string> parts;
  const bool stacks = site.attribute_int("new_axis", 0) != 0;
  if (stacks) body.constant("axes", Ints{axis});
  for (int i = 0; i < size; ++i) {
    const std::string position = body.scalar(i, "position");
    parts.push_back(body(fmt::format("item{}", i), "SequenceAt", {"input_sequence", position}));
    if (stacks) parts.back() = body(fmt::format("part{}", i), "Unsqueeze", {parts.back(), "axes"});
  }
  body("concat_result", "Concat", parts, {{"axis", axis}});
  return body.function();
}

// The tensors of the list, as inputs of the body: x0, x1 …
std::vector<std::string> taken(const CallSite& site, Body& body) {
  std::vector<std::string> tensors;
  for (int i = 0; i < need_list(site); ++i) tensors.push_back(fmt::format("x{}", i));
  body.grows_with(tensors.size());
  body.add_inputs_of_maker(tensors);
  return tensors;
}

int64_t place_in_list(int64_t position, int64_t size) {
  if (position < -size || position >= size) decline(fmt::format("the list has no place {}", position));
  return position < 0 ? position + size : position;
}

void append_list(Body& body, const std::vector<std::string>& tensors) {
  if (tensors.empty()) decline("the list would be empty, and nothing says of which type");
  body("output_sequence", "SequenceConstruct", tensors);
}

void need_taking_apart(const CallSite& site) {
  if (!site.may_take_lists_apart()) decline("the list is one of a function's own");
}

Lowering insertion(const CallSite& site) {
  need_taking_apart(site);
  const int64_t size = need_list(site);
  const int64_t position = site.has_input(2) ? site.need_number(2, 0) : size;
  if (position < -size || position > size) return Declined{fmt::format("the list has no place {}", position)};
  Body body("ai.onnx", "SequenceInsert", first_names({"input_sequence", "tensor", "position"}, site.input_count()),
            {"output_sequence"}, 13);
  std::vector<std::string> tensors = taken(site, body);
  tensors.insert(tensors.begin() + (position < 0 ? position + size : position), "tensor");
  append_list(body, tensors);
  return body.function();
}

Lowering erasure(const CallSite& site) {
  need_taking_apart(site);
  const int64_t size = need_list(site);
  const int64_t position = place_in_list(site.has_input(1) ? site.need_number(1, 0) : -1, size);
  Body body("ai.onnx", "SequenceErase", first_names({"input_sequence", "position"}, site.input_count()),
            {"output_sequence"}, 13);
  std::vector<std::string> tensors = taken(site, body);
  tensors.erase(tensors.begin() + position);
  append_list(body, tensors);
  return body.function();
}

Lowering length(const CallSite& site) {
  need_taking_apart(site);
  Body body("ai.onnx", "SequenceLength", {"input_sequence"}, {"length"}, 13);
  const std::vector<std::string> tensors = taken(site, body);
  body.constant("length", static_cast<int64_t>(tensors.size()));
  return body.function();
}

const NativeRule rules[] = {
    {.domain = "ai.onnx",
     .op_type = "SequenceInsert",
     .summary = "The list of the tensors and one more, where it is known what the list is made of.",
     .source = "ONNX SequenceInsert-11",
     .inputs = "input_sequence, tensor, position",
     .needed_inputs = 2,
     .most_inputs = 3,
     .lower = insertion},
    {.domain = "ai.onnx",
     .op_type = "SequenceErase",
     .summary = "The list of the other tensors, where it is known what the list is made of.",
     .source = "ONNX SequenceErase-11",
     .inputs = "input_sequence, position",
     .needed_inputs = 1,
     .most_inputs = 2,
     .lower = erasure},
    {.domain = "ai.onnx",
     .op_type = "SequenceLength",
     .summary = "The number of the tensors, where it is known what the list is made of.",
     .source = "ONNX SequenceLength-11",
     .inputs = "input_sequence",
     .needed_inputs = 1,
     .most_inputs = 1,
     .lower = length},
    {.domain = "ai.onnx",
     .op_type = "SequenceAt",
     .summary = "The tensor itself, where the position and what the list is made of are known.",
     .source = "ONNX SequenceAt-11",
     .inputs = "input_sequence, position",
     .needed_inputs = 2,
     .most_inputs = 2,
     .lower = item},
    {.domain = "ai.onnx",
     .op_type = "ConcatFromSequence",
     .summary = "A Concat of the tensors, where it is known what the list is made of.",
     .source = "ONNX ConcatFromSequence-11",
     .attributes = "axis, new_axis",
     .required_attributes = "axis",
     .inputs = "input_sequence",
     .needed_inputs = 1,
     .most_inputs = 1,
     .lower = concatenation}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_taking_lists_apart

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <limits>

#include "tensor_list.h"

namespace onnx_lower::native_rules::aten_hsplit {
namespace {

// Splits x into as many parts of one size as the number says, or into those that end before each of
// the indices.
Lowering split(const CallSite& site, std::string_view op_type, int64_t axis) {
  const int rank = site.need_rank(0);
  if (rank <= axis) return Declined{fmt::format("its input has {} dimensions", rank)};
  const Ints sections = site.need_ints(1);
  Body body("aten", op_type, {"x", "sections"}, {"parts"}, 18);
  std::vector<std::string> parts;
  if (site.need_rank(1) == 0) {
    constexpr int64_t most_parts = 1024;
    if (sections[0] < 1 || sections[0] > most_parts)
      return Declined{fmt::format("it has {} parts, and a Split is written for 1 to {}", sections[0], most_parts)};
    parts = numbered("part", static_cast<size_t>(sections[0]));
    body.node(parts, "Split", {"x"}, {{"axis", axis}, {"num_outputs", sections[0]}});
  } else {
    int64_t begin = 0;
    for (const int64_t index : sections) {
      parts.push_back(body.slice("x", begin, index, axis, "part"));
      begin = index;
    }
    parts.push_back(body.slice("x", begin, std::numeric_limits<int64_t>::max(), axis, "part"));
  }
  body("parts", "SequenceConstruct", parts);
  return body.function();
}

Lowering horizontally(const CallSite& site) { return split(site, "hsplit", site.need_rank(0) == 1 ? 0 : 1); }
Lowering vertically(const CallSite& site) { return split(site, "vsplit", 0); }
Lowering in_depth(const CallSite& site) { return split(site, "dsplit", 2); }

constexpr NativeRule rules[] = {
    {.domain = "aten",
     .op_type = "hsplit",
     .summary = "The parts of a tensor along dimension 1, of a vector along its only one.",
     .source = "aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[], and hsplit.array",
     .inputs = "x, sections",
     .needed_inputs = 2,
     .most_inputs = 2,
     .lower = horizontally},
    {.domain = "aten",
     .op_type = "vsplit",
     .summary = "The parts of a tensor along dimension 0.",
     .source = "aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[], and vsplit.array",
     .inputs = "x, sections",
     .needed_inputs = 2,
     .most_inputs = 2,
     .lower = vertically},
    {.domain = "aten",
     .op_type = "dsplit",
     .summary = "The parts of a tensor along dimension 2.",
     .source = "aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[], and dsplit.array",
     .inputs = "x, sections",
     .needed_inputs = 2,
     .most_inputs = 2,
     .lower = in_depth}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_hsplit

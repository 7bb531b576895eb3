// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_Split {
namespace {

std::vector<std::string> parts_of(const CallSite& site) {
  std::vector<std::string> names;
  for (int i = 0; i < site.output_count(); ++i) names.push_back(fmt::format("part{}", i));
  return names;
}

Body body_of(const CallSite& site, int opset) {
  return {"ai.onnx", "Split", first_names({"input", "split"}, std::max(site.input_count(), 1)), parts_of(site), opset};
}

// The sizes of the parts are constants: an attribute below opset 13, an input from 13 on.
Lowering with_sizes(const CallSite& site, int64_t axis, const Ints& sizes) {
  if (sizes.size() != static_cast<size_t>(site.output_count())) return Declined{"it has not as many outputs as sizes"};
  if (site.opset() < 13) {
    Body body = body_of(site, 11);
    body.node(parts_of(site), "Split", {"input"}, {{"axis", axis}, {"split", sizes}});
    return body.function();
  }
  Body body = body_of(site, 13);
  body.constant("sizes", sizes);
  body.node(parts_of(site), "Split", {"input", "sizes"}, {{"axis", axis}});
  return body.function();
}

// Each part is cut out by itself, from where the one before it ended. `make_size` makes a value
// with the name that it gets, the size of the part with the number that it gets.
void cut_out(Body& body, int count, int64_t axis, const std::function<void(const std::string&, int)>& make_size) {
  body.constant("axis", Ints{axis});
  body.constant("end", Ints{0});
  std::string begin = "end";
  for (int i = 0; i < count; ++i) {
    const std::string n = fmt::to_string(i);
    make_size("size" + n, i);
    body("end" + n, "Add", {begin, "size" + n});
    body("part" + n, "Slice", {"input", begin, "end" + n, "axis"});
    begin = "end" + n;
  }
}

Lowering with_size_input(const CallSite& site, int64_t axis) {
  if (const auto sizes = site.constant_ints(1)) return with_sizes(site, axis, *sizes);
  Body body = body_of(site, 10);
  cut_out(body, site.output_count(), axis, [&](const std::string& size, int part) {
    const std::string index = body.constant("index" + fmt::to_string(part), Ints{part});
    body(size, "Gather", {"split", index}, {{"axis", 0}});
  });
  return body.function();
}

// Equal parts, of which the last may be smaller from opset 18 on.
Lowering with_count(const CallSite& site, int64_t axis, int64_t count) {
  if (count != site.output_count() || count < 1) {
    return Declined{fmt::format("num_outputs is {}, and it has {} outputs", count, site.output_count())};
  }
  // Where there are too few elements for equal parts, as in a branch that is for another size, the
  // last parts have none.
  const int64_t size = site.dim(0, static_cast<int>(axis)).value_or(-1);
  const int64_t part = (size + count - 1) / count;
  if (size >= 0 && part * (count - 1) <= size) {
    Ints sizes(static_cast<size_t>(count), part);
    sizes.back() = size - part * (count - 1);
    return with_sizes(site, axis, sizes);
  }
  Body body = body_of(site, 10);
  body("shape", "Shape", {"input"});
  body.constant("place", Ints{axis});
  body("total", "Gather", {"shape", "place"}, {{"axis", 0}});
  body.constant("count", Ints{count});
  body.constant("rest", Ints{count - 1});
  body("rounded", "Add", {"total", "rest"});
  body("size", "Div", {"rounded", "count"});
  cut_out(body, site.output_count(), axis, [&](const std::string& name, int) { body(name, "Identity", {"size"}); });
  return body.function();
}

Lowering lower(const CallSite& site) {
  const int64_t axis = site.attribute_int("axis", 0);
  if (site.attribute("split") != nullptr) return with_sizes(site, axis, site.attribute_ints("split", {}));
  if (site.has_input(1)) return with_size_input(site, axis);
  const int64_t count = site.attribute_int("num_outputs", site.output_count());
  // A node of version 18 or newer with num_outputs comes here where a runtime does not count its
  // parts by that; and ONNX Runtime does not where there are no elements.
  const bool is_not_counted = site.version().value_or(0) >= 18 || site.dim(0, static_cast<int>(axis)) == 0;
  if (site.opset() < 18 || is_not_counted) return with_count(site, axis, count);
  Body body = body_of(site, 18);
  body.node(parts_of(site), "Split", {"input"}, {{"axis", axis}, {"num_outputs", count}});
  return body.function();
}

// For runtimes that give out all parts wrong, or crash, where one of them is empty.
Lowering with_empty_parts(const CallSite& site) {
  const Ints sizes = site.has_input(1) ? site.need_ints(1) : site.attribute_ints("split", {});
  if (std::ranges::find(sizes, 0) == sizes.end()) return Declined{"no part is known to be empty", {}, true};
  if (sizes.size() != static_cast<size_t>(site.output_count())) return Declined{"it has not as many outputs as sizes"};
  Body body = body_of(site, 10);
  const std::string axis = body.constant("axis", Ints{site.attribute_int("axis", 0)});
  int64_t begin = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t end = begin + sizes[i];
    const std::string n = fmt::to_string(i);
    body("part" + n, "Slice",
         {"input", body.constant("begin" + n, Ints{begin}), body.constant("end" + n, Ints{end}), axis});
    begin = end;
  }
  return body.function();
}

const NativeRule rules[] = {
    {.domain = "ai.onnx",
     .op_type = "Split",
     .summary = "The sizes are an attribute below 13 and an input from 13 on; num_outputs is new in 18.",
     .source = "ONNX Split-2, Split-13, Split-18",
     .attributes = "axis, split, num_outputs",
     .lower = lower},
    {.domain = "ai.onnx",
     .op_type = "Split",
     .summary = "Each part by itself, where one of them is empty.",
     .source = "ONNX Split-2, Split-13",
     .attributes = "axis, split",
     .turn = RuleTurn::last_resort,
     .lower = with_empty_parts}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Split

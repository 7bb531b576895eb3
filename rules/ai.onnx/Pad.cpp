// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "axes_text.h"

namespace onnx_lower {
namespace {

std::string list(const std::vector<int64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

// From 11 on the widths are an input.
Lowering with_inputs(const CallSite& site) {
  const std::vector<int64_t> pads = site.attribute_ints("pads", {});
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 15]> Pad (data) => (output) {{
        pads = Constant <value = int64[{}] {{{}}}> ()
        value = Constant <value_float = {:.9e}> ()
        typed_value = CastLike (value, data)
        output = Pad <mode = "{}"> (data, pads, typed_value)
      }})",
      pads.size(), list(pads), site.attribute_float("value", 0), site.attribute_string("mode", "constant")));
}

// The widths of all axes, from those of the given ones.
std::optional<std::vector<int64_t>> spread(const std::vector<int64_t>& pads, const std::vector<int64_t>& axes,
                                           int64_t rank) {
  if (pads.size() != axes.size() * 2) return std::nullopt;
  std::vector<int64_t> all(static_cast<size_t>(rank) * 2);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank) return std::nullopt;
    all[static_cast<size_t>(axis)] = pads[i];
    all[static_cast<size_t>(axis + rank)] = pads[i + axes.size()];
  }
  return all;
}

// all_pads, of axes that are known only when the model runs.
void append_widths_at_run_time(BodyText& body, int64_t rank) {
  const std::string size = body.ints({rank}, "size"), none = body.scalar(0);
  body.line("wide = Cast <to = 7> (axes)");
  body.line("counts_from_end = Less (wide, {})", none);
  body.line("moved = Add (wide, {})", size);
  body.line("low_places = Where (counts_from_end, moved, wide)");
  body.line("high_places = Add (low_places, {})", size);
  body.line("places = Concat <axis = 0> (low_places, high_places)");
  const std::string zeros = body.ints(std::vector<int64_t>(static_cast<size_t>(rank) * 2), "zeros");
  body.line("all_pads = ScatterElements <axis = 0> ({}, places, pads)", zeros);
}

// The same when the widths are known only when the model runs.
std::string spread_at_run_time(const std::vector<int64_t>& axes, int64_t rank) {
  std::string body = "none = Constant <value = int64[1] {0}> () ";
  std::vector<std::string> pieces(static_cast<size_t>(rank) * 2, "none");
  for (size_t i = 0; i < axes.size() * 2; ++i) {
    const size_t of = i % axes.size();
    const int64_t axis = (axes[of] < 0 ? axes[of] + rank : axes[of]) + (i < axes.size() ? 0 : rank);
    if (axis < 0 || axis >= rank * 2) return {};
    pieces[static_cast<size_t>(axis)] = fmt::format("width{}", i);
    body += fmt::format(
        "place{0} = Constant <value = int64[1] {{{0}}}> () width{0} = Gather <axis = 0> (pads, place{0}) ", i);
  }
  return body + fmt::format("all_pads = Concat <axis = 0> ({}) ", fmt::join(pieces, ", "));
}

// Where the axes are computed as well: each width goes to the place of its axis.
Lowering without_axes_at_run_time(const CallSite& site, int64_t rank, const std::string& mode) {
  BodyText body("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 13);
  append_widths_at_run_time(body, rank);
  body.line("output = Pad <mode = \"{}\"> (data, all_pads{})", mode, site.has_input(2) ? ", constant_value" : "");
  return body.function();
}

// Below 18 there are no axes.
Lowering without_axes(const CallSite& site, const std::string& mode) {
  const auto axes = site.constant_ints(3);
  const auto rank = site.rank(0);
  if (!rank) return Declined{"below opset 18 a Pad with axes needs the rank of its input to be known"};
  if (!axes) return without_axes_at_run_time(site, *rank, mode);
  std::string body;
  if (const auto pads = site.constant_ints(1)) {
    const auto all = spread(*pads, *axes, *rank);
    if (!all) return Declined{"pads and axes do not fit together"};
    body = fmt::format("all_pads = Constant <value = int64[{}] {{{}}}> () ", all->size(), list(*all));
  } else {
    body = spread_at_run_time(*axes, *rank);
    if (body.empty()) return Declined{"an axis is out of range"};
  }
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 13]> Pad (data, pads, constant_value, axes) => (output) {{
        {} output = Pad <mode = "{}"> (data, all_pads{})
      }})",
      body, mode, site.has_input(2) ? ", constant_value" : ""));
}

// Below 11 widths and value are attributes, and only floating-point numbers are padded.
Lowering with_attributes(const CallSite& site, const std::string& mode) {
  const auto pads = site.constant_ints(1);
  if (!pads) return Declined{"below opset 11 the pads must be constants"};
  double value = 0;
  if (site.has_input(2)) {
    const auto given = site.constant_floats(2);
    const auto integers = given ? std::nullopt : site.constant_ints(2);
    if (!given && !integers) return Declined{"below opset 11 the constant value must be a constant"};
    const std::vector<double> values = given ? *given : std::vector<double>(integers->begin(), integers->end());
    if (values.size() != 1) return Declined{"the constant value is not one number"};
    value = values[0];
  }
  if (value != static_cast<double>(static_cast<float>(value))) {
    return Declined{"below opset 11 the constant value must be one that float holds"};
  }
  const int dtype = site.need_dtype(0);
  const std::string pad =
      fmt::format("Pad <mode = \"{}\", pads: ints = [{}], value = {:.9e}>", mode, list(*pads), value);
  std::string body;
  switch (dtype) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::FLOAT16:
      body = fmt::format("output = {} (data)", pad);
      break;
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::BOOL:
      body = fmt::format("number = Cast <to = 11> (data) padded = {} (number) output = Cast <to = {}> (padded)", pad,
                         dtype);
      break;
    default:
      return Declined{"below opset 11 elements of this type cannot be padded"};
  }
  return function_from_text(fmt::format(
      R"(<domain: "ai.onnx", opset_import: ["" : 9]> Pad (data, pads, constant_value) => (output) {{ {} }})", body));
}

// all_pads: the widths of all axes, which may be constants. False if pads and axes do not fit together.
bool append_all_widths(BodyText& body, const CallSite& site, int64_t rank) {
  const auto pads = site.constant_ints(1);
  const auto axes = site.has_input(3) ? site.constant_ints(3) : std::nullopt;
  if (!site.has_input(3)) {
    body.line("all_pads = Cast <to = 7> (pads)");
  } else if (!axes) {
    append_widths_at_run_time(body, rank);
  } else {
    const std::string spread = spread_at_run_time(*axes, rank);
    if (spread.empty()) return false;
    body.line("{}", spread);
  }
  return true;
}

// The widths of every axis, if they are known.
std::optional<std::vector<int64_t>> known_widths(const CallSite& site, int64_t rank) {
  const auto pads = site.constant_ints(1);
  if (!pads) return std::nullopt;
  if (!site.has_input(3)) return pads->size() == static_cast<size_t>(rank) * 2 ? pads : std::nullopt;
  const auto axes = site.constant_ints(3);
  return axes ? spread(*pads, *axes, rank) : std::nullopt;
}

// One axis after the other: which element of the axis, less what negative widths cut off, is at each place of the result. A constant is one more element, at the end.
Lowering by_gathering(const CallSite& site, const std::string& mode) {
  const int rank = site.need_rank(0);
  if (site.need_dtype(0) == onnx::TensorProto::STRING) return Declined{"runtimes pad no text"};
  BodyText body("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 15);
  const auto known = known_widths(site, rank);
  if (!append_all_widths(body, site, rank)) return Declined{"pads and axes do not fit together"};
  const std::string none = body.scalar(0, "none"), one = body.scalar(1, "one"), two = body.scalar(2, "two");
  if (mode == "constant") {
    if (site.has_input(2)) {
      body.line("value = Identity (constant_value)");
    } else {
      body.line("number = Constant <value = float {{0.0}}> ()");
      body.line("value = CastLike (number, data)");
    }
  }
  std::string values = "data";
  for (int axis = 0; axis < rank; ++axis) {
    const auto place = static_cast<size_t>(axis);
    if (known && (*known)[place] == 0 && (*known)[place + static_cast<size_t>(rank)] == 0) continue;
    const std::string low_place = body.scalar(axis, "low_place"), high_place = body.scalar(axis + rank, "high_place");
    const std::string size = body.dim("data", axis);
    body.line("low{} = Gather <axis = 0> (all_pads, {})", axis, low_place);
    body.line("high{} = Gather <axis = 0> (all_pads, {})", axis, high_place);
    body.line("cut_low{} = Min (low{}, {})", axis, axis, none);
    body.line("cut_high{} = Min (high{}, {})", axis, axis, none);
    body.line("begin{0} = Sub ({1}, cut_low{0})", axis, none);
    body.line("less{0} = Add ({1}, cut_low{0})", axis, size);
    body.line("count{0} = Add (less{0}, cut_high{0})", axis);
    body.line("more_low{0} = Max (low{0}, {1})", axis, none);
    body.line("more_high{0} = Max (high{0}, {1})", axis, none);
    body.line("first{0} = Sub ({1}, more_low{0})", axis, none);
    body.line("end{0} = Add (count{0}, more_high{0})", axis);
    body.line("line{0} = Range (first{0}, end{0}, {1})", axis, one);
    if (mode == "constant") {
      // Whatever is outside is the element behind the last.
      body.line("is_before{0} = Less (line{0}, {1})", axis, none);
      body.line("is_within{0} = Less (line{0}, count{0})", axis);
      body.line("moved_line{0} = Add (line{0}, begin{0})", axis);
      body.line("not_behind{0} = Where (is_within{0}, moved_line{0}, {1})", axis, size);
      body.line("index{0} = Where (is_before{0}, {1}, not_behind{0})", axis, size);
      body.line("shape{0} = Shape ({1})", axis, values);
      const std::string where = body.ints({axis}), single = body.ints({1});
      body.line("border_shape{0} = ScatterElements <axis = 0> (shape{0}, {1}, {2})", axis, where, single);
      body.line("border{0} = Expand (value, border_shape{0})", axis);
      body.line("with_border{0} = Concat <axis = {0}> ({1}, border{0})", axis, values);
      values = fmt::format("with_border{}", axis);
    } else {
      body.line("last{0} = Sub (count{0}, {1})", axis, one);
      if (mode == "edge") {
        body.line("not_before{0} = Max (line{0}, {1})", axis, none);
        body.line("inner{0} = Min (not_before{0}, last{0})", axis);
      } else if (mode == "wrap") {
        body.line("inner{0} = Mod (line{0}, count{0})", axis);
      } else {
        body.line("there_and_back{0} = Mul (last{0}, {1})", axis, two);
        body.line("period{0} = Max (there_and_back{0}, {1})", axis, one);
        body.line("turned{0} = Mod (line{0}, period{0})", axis);
        body.line("on_the_way_back{0} = Sub (period{0}, turned{0})", axis);
        body.line("inner{0} = Min (turned{0}, on_the_way_back{0})", axis);
      }
      body.line("index{0} = Add (inner{0}, begin{0})", axis);
    }
    body.line("padded{0} = Gather <axis = {0}> ({1}, index{0})", axis, values);
    values = fmt::format("padded{}", axis);
  }
  body.line("output = Identity ({})", values);
  return body.function();
}

// mode wrap, where each width is known to be within the axis: what is at its end stands before it, what is at its beginning behind it.
std::optional<Lowering> by_joining(const CallSite& site) {
  const std::optional<int> rank = site.rank(0);
  if (!rank) return std::nullopt;
  const auto widths = known_widths(site, *rank);
  if (!widths) return std::nullopt;
  BodyText body("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 13);
  std::string values = "data";
  for (int axis = 0; axis < *rank; ++axis) {
    const int64_t low = (*widths)[static_cast<size_t>(axis)], high = (*widths)[static_cast<size_t>(axis + *rank)];
    if (low == 0 && high == 0) continue;
    const std::optional<int64_t> size = site.dim(0, axis);
    if (!size || low < 0 || high < 0 || low > *size || high > *size) return std::nullopt;
    std::vector<std::string> parts;
    if (low > 0) parts.push_back(body.slice(values, *size - low, *size, axis, "end"));
    parts.push_back(values);
    if (high > 0) parts.push_back(body.slice(values, 0, high, axis, "beginning"));
    body.line("joined{} = Concat <axis = {}> ({})", axis, axis, fmt::join(parts, ", "));
    values = fmt::format("joined{}", axis);
  }
  body.line("output = Identity ({})", values);
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.attribute("pads") != nullptr) {
    if (site.opset() >= 11) return with_inputs(site);
    return Declined{"its widths are an attribute, as they are at this opset"};
  }
  if (site.attribute("value") != nullptr) return Declined{"it has the attribute 'value' without the attribute 'pads'"};
  const std::string mode = site.attribute_string("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return Declined{fmt::format("it does not know the mode \"{}\"", mode)};
  if (mode == "wrap") {
    if (std::optional<Lowering> joined = by_joining(site)) return *std::move(joined);
    return by_gathering(site, mode);
  }
  const bool is_constant = site.constant_ints(1) && (!site.has_input(3) || site.constant_ints(3));
  if (site.opset() >= 11 || (is_constant && site.has_input(3))) {
    return site.has_input(3) ? without_axes(site, mode) : by_gathering(site, mode);
  }
  Lowering lowered = with_attributes(site, mode);
  return std::holds_alternative<Declined>(lowered) ? by_gathering(site, mode) : lowered;
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Pad",
                      .summary = "The widths are an attribute below 11 and an input from 11 on; axes are new in 18.",
                      .source = "ONNX Pad-2, Pad-11, Pad-18",
                      .attributes = "mode, pads, value",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "families/axes_at_run_time.h"
#include "for_runtimes/declared_shape.h"

namespace onnx_lower::native_rules::ai_onnx_Pad {
namespace {

// From opset 11 on the widths are an input.
Lowering with_inputs(const CallSite& site) {
  Body body("ai.onnx", "Pad", {"data"}, {"output"}, 15);
  body.constant("pads", site.attribute_ints("pads", {}));
  body("value", "Constant", {}, {{"value_float", site.attribute_float("value", 0)}});
  body("typed_value", "CastLike", {"value", "data"});
  body("output", "Pad", {"data", "pads", "typed_value"}, {{"mode", site.attribute_string("mode", "constant")}});
  return body.function();
}

// The widths of all axes, from those of the given axes.
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

// Makes `all_pads`, the widths of all axes, where the axes that `pads` speaks of are known only
// when the model runs.
void append_widths_at_run_time(Body& body, int64_t rank) {
  const std::string size = body.ints({rank}, "size"), none = body.scalar(0);
  body("wide", "Cast", {"axes"}, {{"to", 7}});
  body("counts_from_end", "Less", {"wide", none});
  body("moved", "Add", {"wide", size});
  body("low_places", "Where", {"counts_from_end", "moved", "wide"});
  body("high_places", "Add", {"low_places", size});
  body("places", "Concat", {"low_places", "high_places"}, {{"axis", 0}});
  const std::string zeros = body.ints(std::vector<int64_t>(static_cast<size_t>(rank) * 2), "zeros");
  body("all_pads", "ScatterElements", {zeros, "places", "pads"}, {{"axis", 0}});
}

// Makes `all_pads` where the axes are known before, and their widths only when the model runs.
void append_spread(Body& body, const Ints& axes, int64_t rank) {
  std::vector<std::string> pieces(static_cast<size_t>(rank) * 2, "none");
  body.constant("none", Ints{0});
  for (size_t i = 0; i < axes.size() * 2; ++i) {
    const size_t of = i % axes.size();
    const int64_t place = need_axis(axes[of], rank) + (i < axes.size() ? 0 : rank);
    const std::string n = fmt::to_string(i);
    pieces[static_cast<size_t>(place)] = "width" + n;
    body.constant("place" + n, Ints{static_cast<int64_t>(i)});
    body("width" + n, "Gather", {"pads", "place" + n}, {{"axis", 0}});
  }
  body("all_pads", "Concat", pieces, {{"axis", 0}});
}

// Where the axes are known only when the model runs, too, each width goes to the place of its axis.
Lowering without_axes_at_run_time(const CallSite& site, int64_t rank, const std::string& mode) {
  Body body("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 13);
  append_widths_at_run_time(body, rank);
  body("output", "Pad", {"data", "all_pads", site.has_input(2) ? "constant_value" : ""}, {{"mode", mode}});
  return body.function();
}

// Below opset 18 a Pad has no input axes.
Lowering without_axes(const CallSite& site, const std::string& mode) {
  const auto axes = site.constant_ints(3);
  const auto rank = site.rank(0);
  if (!rank) return Declined{"below opset 18 a Pad with axes needs the rank of its input to be known"};
  if (!axes) return without_axes_at_run_time(site, *rank, mode);
  Body body("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 13);
  if (const auto pads = site.constant_ints(1)) {
    const auto all = spread(*pads, *axes, *rank);
    if (!all) return Declined{"pads and axes do not fit together"};
    body.constant("all_pads", *all);
  } else {
    append_spread(body, *axes, *rank);
  }
  body("output", "Pad", {"data", "all_pads", site.has_input(2) ? "constant_value" : ""}, {{"mode", mode}});
  return body.function();
}

// Below opset 11 widths and value are attributes, and only floating-point numbers are padded.
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
  Body body("ai.onnx", "Pad", {"data", "pads", "constant_value"}, {"output"}, 9);
  const auto pad = [&](std::string_view output, std::string_view input) {
    body(output, "Pad", {input}, {{"mode", mode}, {"pads", *pads}, {"value", value}});
  };
  switch (dtype) {
    case onnx::TensorProto::FLOAT:
    case onnx::TensorProto::DOUBLE:
    case onnx::TensorProto::FLOAT16:
      pad("output", "data");
      break;
    case onnx::TensorProto::INT8:
    case onnx::TensorProto::INT16:
    case onnx::TensorProto::INT32:
    case onnx::TensorProto::UINT8:
    case onnx::TensorProto::UINT16:
    case onnx::TensorProto::UINT32:
    case onnx::TensorProto::BOOL:
      body("number", "Cast", {"data"}, {{"to", onnx::TensorProto::DOUBLE}});
      pad("padded", "number");
      body("output", "Cast", {"padded"}, {{"to", dtype}});
      break;
    default:
      return Declined{"below opset 11 elements of this type cannot be padded"};
  }
  return body.function();
}

// Makes `all_pads`, the widths of all axes.
void append_all_widths(Body& body, const CallSite& site, int64_t rank) {
  if (!site.has_input(3)) {
    body("all_pads", "Cast", {"pads"}, {{"to", 7}});
  } else if (const auto axes = site.constant_ints(3)) {
    append_spread(body, *axes, rank);
  } else {
    append_widths_at_run_time(body, rank);
  }
}

// The widths of every axis, if they are known.
std::optional<std::vector<int64_t>> known_widths(const CallSite& site, int64_t rank) {
  const auto pads = site.constant_ints(1);
  if (!pads) return std::nullopt;
  if (!site.has_input(3)) return pads->size() == static_cast<size_t>(rank) * 2 ? pads : std::nullopt;
  const auto axes = site.constant_ints(3);
  return axes ? spread(*pads, *axes, rank) : std::nullopt;
}

// Pads one axis after the other: for each place of the result it is computed which element of the
// axis, without those that negative widths cut off, is there, and the elements are gathered. A
// constant is one more element at the end. With the result's dimensions, as the model declares
// them, no shape is computed from the widths.
class Gathering {
 public:
  Gathering(const CallSite& site, const std::string& mode, const std::optional<Ints>& dims)
      : site_(site),
        mode_(mode),
        dims_(dims),
        rank_(site.need_rank(0)),
        body_("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 15) {
    if (site.need_dtype(0) == onnx::TensorProto::STRING) decline("runtimes pad no text");
  }

  Lowering lowering() {
    const auto known = known_widths(site_, rank_);
    append_all_widths(body_, site_, rank_);
    none_ = body_.scalar(0, "none");
    one_ = body_.scalar(1, "one");
    two_ = body_.scalar(2, "two");
    if (mode_ == "constant") append_value();
    std::string values = "data";
    for (int axis = 0; axis < rank_; ++axis) {
      const auto place = static_cast<size_t>(axis);
      if (known && (*known)[place] == 0 && (*known)[place + static_cast<size_t>(rank_)] == 0) continue;
      values = padded(values, axis);
    }
    body_("output", "Identity", {values});
    return dims_ ? as_declared(body_, *dims_) : body_.function();
  }

 private:
  void append_value() {
    if (site_.has_input(2)) {
      body_("value", "Identity", {"constant_value"});
    } else {
      body_.constant("number", 0.0);
      body_("value", "CastLike", {"number", "data"});
    }
  }

  // `n`, the axis, ends the names of what is made for it.
  std::string padded(const std::string& values, int axis) {
    const std::string n = fmt::to_string(axis);
    const std::string size = append_line(axis, n);
    if (mode_ != "constant") {
      append_index(n);
      return body_("padded" + n, "Gather", {values, "index" + n}, {{"axis", axis}});
    }
    append_index_of_constant(n, size);
    const std::string with_border = append_border(values, axis, n);
    return body_("padded" + n, "Gather", {with_border, "index" + n}, {{"axis", axis}});
  }

  // Makes `begin`, the first element that is not cut off; `count`, how many are not; and `line`,
  // the places of the result as counted from the first of them. Gives the size of the axis.
  std::string append_line(int axis, const std::string& n) {
    const std::string low_place = body_.scalar(axis, "low_place"),
                      high_place = body_.scalar(axis + rank_, "high_place");
    const std::string size = dims_ ? body_.scalar(site_.need_dim(0, axis), "size") : body_.dim("data", axis);
    body_("low" + n, "Gather", {"all_pads", low_place}, {{"axis", 0}});
    body_("high" + n, "Gather", {"all_pads", high_place}, {{"axis", 0}});
    body_("cut_low" + n, "Min", {"low" + n, none_});
    body_("cut_high" + n, "Min", {"high" + n, none_});
    body_("begin" + n, "Sub", {none_, "cut_low" + n});
    body_("less" + n, "Add", {size, "cut_low" + n});
    body_("count" + n, "Add", {"less" + n, "cut_high" + n});
    body_("more_low" + n, "Max", {"low" + n, none_});
    body_("more_high" + n, "Max", {"high" + n, none_});
    body_("first" + n, "Sub", {none_, "more_low" + n});
    body_("end" + n, "Add", {"count" + n, "more_high" + n});
    if (dims_) {
      const int64_t places = (*dims_)[static_cast<size_t>(axis)];
      body_("line" + n, "Add", {body_.ints(numbers_below(places), "places"), "first" + n});
    } else {
      body_("line" + n, "Range", {"first" + n, "end" + n, one_});
    }
    return size;
  }

  // Makes an index that is the constant, behind the last element, at all places outside.
  void append_index_of_constant(const std::string& n, const std::string& size) {
    body_("is_before" + n, "Less", {"line" + n, none_});
    body_("is_within" + n, "Less", {"line" + n, "count" + n});
    body_("moved_line" + n, "Add", {"line" + n, "begin" + n});
    body_("not_behind" + n, "Where", {"is_within" + n, "moved_line" + n, size});
    body_("index" + n, "Where", {"is_before" + n, size, "not_behind" + n});
  }

  // Gives the values with the constant as one more element of the axis.
  std::string append_border(const std::string& values, int axis, const std::string& n) {
    if (dims_) {
      Ints border = *dims_;
      for (int later = axis; later < rank_; ++later)
        border[static_cast<size_t>(later)] = later == axis ? 1 : site_.need_dim(0, later);
      body_.constant("border_shape" + n, border);
    } else {
      body_("shape" + n, "Shape", {values});
      const std::string where = body_.ints({axis}), single = body_.ints({1});
      body_("border_shape" + n, "ScatterElements", {"shape" + n, where, single}, {{"axis", 0}});
    }
    body_("border" + n, "Expand", {"value", "border_shape" + n});
    return body_("with_border" + n, "Concat", {values, "border" + n}, {{"axis", axis}});
  }

  // Makes index = begin + the element that a place outside has, of the `count` that are not
  // cut off:
  //
  //     edge:     min(max(line, 0), count - 1)
  //     wrap:     line mod count
  //     reflect:  min(turned, period - turned), turned = line mod period, period = 2 (count - 1)
  void append_index(const std::string& n) {
    body_("last" + n, "Sub", {"count" + n, one_});
    if (mode_ == "edge") {
      body_("not_before" + n, "Max", {"line" + n, none_});
      body_("inner" + n, "Min", {"not_before" + n, "last" + n});
    } else if (mode_ == "wrap") {
      body_("inner" + n, "Mod", {"line" + n, "count" + n});
    } else {
      body_("there_and_back" + n, "Mul", {"last" + n, two_});
      body_("period" + n, "Max", {"there_and_back" + n, one_});
      body_("turned" + n, "Mod", {"line" + n, "period" + n});
      body_("on_the_way_back" + n, "Sub", {"period" + n, "turned" + n});
      body_("inner" + n, "Min", {"turned" + n, "on_the_way_back" + n});
    }
    body_("index" + n, "Add", {"inner" + n, "begin" + n});
  }

  const CallSite& site_;
  const std::string& mode_;
  const std::optional<Ints>& dims_;
  const int rank_;
  Body body_;
  std::string none_, one_, two_;
};

Lowering by_gathering(const CallSite& site, const std::string& mode, const std::optional<Ints>& dims = std::nullopt) {
  return Gathering(site, mode, dims).lowering();
}

Lowering lower_as_declared(const CallSite& site) {
  if (site.attribute("pads") != nullptr || known_widths(site, site.need_rank(0)))
    return Declined{"its widths are constants"};
  const Ints dims = need_declared_dims(site);
  if (static_cast<int>(dims.size()) != site.need_rank(0))
    return Declined{"the declared shape is not of the input's rank"};
  return by_gathering(site, site.need_choice("mode", "constant", {"constant", "reflect", "edge", "wrap"}), dims);
}

// Pads in mode wrap, where each width is known and not greater than its axis: the end of the axis
// is put before it, and its beginning behind it.
std::optional<Lowering> by_joining(const CallSite& site) {
  const std::optional<int> rank = site.rank(0);
  if (!rank) return std::nullopt;
  const auto widths = known_widths(site, *rank);
  if (!widths) return std::nullopt;
  Body body("ai.onnx", "Pad", {"data", "pads", "constant_value", "axes"}, {"output"}, 13);
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
    values = body(fmt::format("joined{}", axis), "Concat", parts, {{"axis", axis}});
  }
  body("output", "Identity", {values});
  return body.function();
}

// For runtimes that take no Pad of this opset, or not in this mode: each axis by a constant list of
// its elements.
Lowering by_constant_places(const CallSite& site) {
  const std::string mode = site.need_choice("mode", "constant", {"constant", "reflect", "edge"});
  if (mode == "constant") return Declined{"its widths are an attribute, as they are at this opset"};
  const int rank = site.need_rank(0);
  const Ints pads = site.attribute_ints("pads", {});
  if (pads.size() != static_cast<size_t>(rank) * 2) return Declined{"its widths are not two of each axis"};
  Body body("ai.onnx", "Pad", {"data"}, {"output"}, 9);
  std::string values = "data";
  for (int axis = 0; axis < rank; ++axis) {
    const int64_t low = pads[static_cast<size_t>(axis)], high = pads[static_cast<size_t>(axis + rank)];
    if (low == 0 && high == 0) continue;
    const int64_t size = site.need_dim(0, axis);
    if (size == 0 || low < 0 || high < 0) return Declined{"an axis without elements, or one that is cut"};
    const int64_t last = size - 1, period = std::max<int64_t>(2 * last, 1);
    Ints places = numbers_below(low + size + high);
    for (int64_t& place : places) {
      const int64_t turned = ((place - low) % period + period) % period;
      place = mode == "edge" ? std::clamp<int64_t>(place - low, 0, last) : std::min(turned, period - turned);
    }
    values = body.made("padded", "Gather", {values, body.ints(places, "places")}, {{"axis", axis}});
  }
  body("output", "Identity", {values});
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.attribute("pads") != nullptr) return site.opset() >= 11 ? with_inputs(site) : by_constant_places(site);
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
  // Which axes the widths are for is known only when the model runs.
  if (site.has_input(3)) return by_gathering(site, mode);
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
const NativeRule declared_rule = rule_as_declared("Pad", "mode, pads, value", lower_as_declared);
const NativeRule::Registration declared_registration{declared_rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Pad

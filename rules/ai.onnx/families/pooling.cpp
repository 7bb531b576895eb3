// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Pooling with dilations, or with sizes rounded up, where the opset's pooling has none of it, and
// of element types that it does not take.
//
// A sum over windows is a convolution with ones. Where that cannot be said, sums, and maxima
// always, are those along one axis after the other: for each place of the result its window's
// elements are gathered along a new dimension, which is then reduced. What is outside is one more
// element, behind the last.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_pooling {
namespace {

struct Window {
  int64_t size = 1, stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
  int64_t reach() const { return dilation * (size - 1) + 1; }
};

struct Pooling {
  std::string op_type;
  std::string auto_pad;
  bool rounds_up = false, counts_padding = false;
  int64_t power = 2;
  std::vector<Window> windows;

  bool is_same() const { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }
};

Pooling read(const CallSite& site) {
  Pooling pooling;
  pooling.op_type = site.node().op_type();
  pooling.auto_pad = site.attribute_string("auto_pad", "NOTSET");
  pooling.rounds_up = site.attribute_int("ceil_mode", 0) == 1;
  pooling.counts_padding = site.attribute_int("count_include_pad", 0) != 0;
  pooling.power = site.attribute_int("p", 2);
  const std::vector<int64_t> kernel = site.attribute_ints("kernel_shape", {});
  const size_t axes = kernel.size();
  if (axes == 0) decline("it has no kernel_shape");
  const auto list = [&](const char* name, size_t length, int64_t otherwise) {
    const std::vector<int64_t> values = site.attribute_ints(name, std::vector<int64_t>(length, otherwise));
    if (values.size() != length) decline(fmt::format("'{}' has {} numbers, not {}", name, values.size(), length));
    return values;
  };
  const std::vector<int64_t> strides = list("strides", axes, 1), dilations = list("dilations", axes, 1);
  std::vector<int64_t> pads = list("pads", 2 * axes, 0);
  if (pooling.auto_pad != "NOTSET") std::ranges::fill(pads, 0);
  for (size_t i = 0; i < axes; ++i) {
    pooling.windows.push_back({kernel[i], strides[i], dilations[i], pads[i], pads[i + axes]});
    if (kernel[i] < 1 || strides[i] < 1 || dilations[i] < 1)
      decline("a kernel size, stride or dilation is not positive");
  }
  return pooling;
}

// How many elements each window of one axis counts: `divisor_<axis>`. `end` is the padding behind.
void append_divisor(Body& body, const Pooling& pooling, size_t number, const std::string& elements,
                    const std::string& size, const std::string& end) {
  const int64_t axis = static_cast<int64_t>(number) + 2;
  const auto line = [&](std::string_view name, std::string_view op_type, const Values& inputs,
                        std::initializer_list<BodyAttribute> attributes = {}) {
    return body(fmt::format("{}_{}", name, axis), op_type, inputs, attributes);
  };
  std::string counted = fmt::format("inside_{}", axis);
  if (pooling.counts_padding) {
    // The padding counts, and not what rounding up the size has added.
    const std::string limit = line("padded_size", "Add", {size, end});
    counted = line("within_padding", "Less", {elements, limit});
  }
  const std::string shares = line("shares", "Cast", {counted}, {{"to", 1}});
  const std::string divisor = line("window_divisor", "ReduceSum", {shares, "second"}, {{"keepdims", 0}});
  std::vector<int64_t> dims(pooling.windows.size() - number, 1);
  dims.front() = -1;
  body(fmt::format("divisor_{}", axis), "Identity", {body.reshape(divisor, dims, "window_counts")});
}

// For one axis: `index_<axis>`, (places of the result) x (elements of the window), and
// `inside_<axis>`, which of them are there. The axis has at least `least_size` elements.
void append_index(Body& body, const Pooling& pooling, size_t number, int64_t least_size) {
  const Window& window = pooling.windows[number];
  const int64_t axis = static_cast<int64_t>(number) + 2;
  const auto line = [&](std::string_view name, std::string_view op_type, const Values& inputs,
                        std::initializer_list<BodyAttribute> attributes = {}) {
    return body(fmt::format("{}_{}", name, axis), op_type, inputs, attributes);
  };
  const auto number_of = [&](std::string_view name, int64_t value) {
    return body.constant(fmt::format("{}_{}", name, axis), value);
  };
  const std::string place = number_of("place", axis), stride = number_of("stride", window.stride);
  const std::string size = line("size", "Gather", {"shape", place}, {{"axis", 0}});
  std::string count, begin, end, first = "none";
  if (pooling.is_same()) {
    // As many places as strides begin within the input; what is missing at the ends is shared.
    const std::string round = number_of("round", window.stride - 1), reach = number_of("reach", window.reach());
    const std::string padded = line("rounded_size", "Add", {size, round});
    count = line("count", "Div", {padded, stride});
    const std::string before_last = line("before_last", "Sub", {count, "one"});
    const std::string last_begin = line("last_begin", "Mul", {before_last, stride});
    const std::string last_end = line("last_end", "Add", {last_begin, reach});
    const std::string missing = line("missing", "Sub", {last_end, size});
    const std::string total = line("total_pad", "Max", {missing, "none"});
    const std::string half = line("half_pad", "Div", {total, "two"});
    const std::string rest = line("other_pad", "Sub", {total, half});
    begin = pooling.auto_pad == "SAME_UPPER" ? half : rest;
    end = pooling.auto_pad == "SAME_UPPER" ? rest : half;
  } else {
    const int64_t more_than_size =
        window.pad_begin + window.pad_end - window.reach() + (pooling.rounds_up ? window.stride - 1 : 0);
    // Div rounds towards zero: where the window may be longer than its axis, as many strides are
    // added as keep the dividend from being negative, and the places begin behind them.
    const int64_t lacking = std::max<int64_t>(-(more_than_size + least_size), 0);
    const int64_t added = (lacking + window.stride - 1) / window.stride;
    if (added != 0) first = number_of("first", added);
    begin = number_of("begin", window.pad_begin + added * window.stride);
    end = number_of("end", window.pad_end);
    const std::string more = number_of("more", more_than_size + added * window.stride);
    const std::string way = line("way", "Add", {size, more});
    const std::string steps = line("steps", "Div", {way, stride});
    count = line("plain_count", "Add", {steps, "one"});
    if (pooling.rounds_up) {
      // A last window that begins in the padding behind is none.
      const std::string last_begin = line("last_begin", "Mul", {steps, stride});
      const std::string limit = line("limit", "Add", {size, begin});
      const std::string starts_within = line("starts_within", "Less", {last_begin, limit});
      const std::string last = line("last_counts", "Cast", {starts_within}, {{"to", 7}});
      count = line("count", "Add", {steps, last});
    }
  }
  Ints offsets = numbers_below(window.size);
  for (int64_t& offset_of_one : offsets) offset_of_one *= window.dilation;
  const std::string offset = body.ints(offsets, "offsets");
  const std::string line_of = line("line", "Range", {first, count, "one"});
  const std::string starts = line("starts", "Mul", {line_of, stride});
  const std::string moved = line("moved", "Sub", {starts, begin});
  const std::string column = body.reshape(moved, {-1, 1}, "column");
  const std::string elements = line("elements", "Add", {column, offset});
  const std::string before = line("before", "Less", {elements, "none"});
  const std::string not_before = line("not_before", "Not", {before});
  const std::string not_behind = line("not_behind", "Less", {elements, size});
  line("inside", "And", {not_before, not_behind});
  line("index", "Where", {fmt::format("inside_{}", axis), elements, size});
  if (pooling.op_type == "AveragePool") append_divisor(body, pooling, number, elements, size, end);
}

onnx::TensorProto lowest_of(int type) {
  if (type == onnx::TensorProto::INT8) return tensor_of(onnx::TensorProto::INT8, {}, Ints{-128});
  if (type == onnx::TensorProto::UINT8) return tensor_of(onnx::TensorProto::UINT8, {}, Ints{0});
  return tensor_of(onnx::TensorProto::FLOAT, {}, std::vector<double>{-std::numeric_limits<double>::infinity()});
}

Lowering by_axis(const CallSite& site, const Pooling& pooling) {
  const int type = site.need_dtype(0);
  const bool is_byte = type == onnx::TensorProto::INT8 || type == onnx::TensorProto::UINT8;
  const bool is_max = pooling.op_type == "MaxPool";
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE && type != onnx::TensorProto::FLOAT16 &&
      !(is_max && is_byte))
    return Declined{"its elements are no floating-point numbers"};
  Body body("ai.onnx", pooling.op_type, {"X"}, {"Y"}, 15);
  body.constant("none", 0);
  body.constant("one", 1);
  body.constant("two", 2);
  body.constant("second", Ints{1});
  body("shape", "Shape", {"X"});
  // Sums of half precision are made in single precision.
  std::string values = "X";
  const bool is_half = type == onnx::TensorProto::FLOAT16 && !is_max;
  if (is_half) {
    body("wide_X", "Cast", {"X"}, {{"to", 1}});
    values = "wide_X";
  }
  if (pooling.op_type == "LpPool") {
    body.constant("power_number", static_cast<double>(pooling.power));
    body("power", "CastLike", {"power_number", values});
    body("magnitude", "Abs", {values});
    body("powers", "Pow", {"magnitude", "power"});
    values = "powers";
  }
  if (is_max) {
    body.constant("outside_number", lowest_of(type));
  } else {
    body.constant("outside_number", 0.0);
  }
  body("outside", "CastLike", {"outside_number", values});
  std::string divisor;
  for (size_t number = 0; number < pooling.windows.size(); ++number) {
    const int64_t axis = static_cast<int64_t>(number) + 2;
    append_index(body, pooling, number, site.dim(0, static_cast<int>(axis)).value_or(0));
    const std::string place = body.ints({axis}, "border_axis"), single = body.ints({1}, "single");
    body(fmt::format("values_shape_{}", axis), "Shape", {values});
    body(fmt::format("border_shape_{}", axis), "ScatterElements", {fmt::format("values_shape_{}", axis), place, single},
         {{"axis", 0}});
    body(fmt::format("border_{}", axis), "Expand", {"outside", fmt::format("border_shape_{}", axis)});
    body(fmt::format("with_border_{}", axis), "Concat", {values, fmt::format("border_{}", axis)}, {{"axis", axis}});
    body(fmt::format("windows_{}", axis), "Gather",
         {fmt::format("with_border_{}", axis), fmt::format("index_{}", axis)}, {{"axis", axis}});
    values = fmt::format("pooled_{}", axis);
    if (is_max) {
      body(values, "ReduceMax", {fmt::format("windows_{}", axis)}, {{"axes", Ints{axis + 1}}, {"keepdims", 0}});
    } else {
      body(values, "ReduceSum", {fmt::format("windows_{}", axis), body.ints({axis + 1}, "axes")}, {{"keepdims", 0}});
    }
    if (pooling.op_type == "AveragePool") {
      if (!divisor.empty()) body(fmt::format("divisors_{}", axis), "Mul", {divisor, fmt::format("divisor_{}", axis)});
      divisor = divisor.empty() ? fmt::format("divisor_{}", axis) : fmt::format("divisors_{}", axis);
    }
  }
  if (pooling.op_type == "AveragePool") {
    body("typed_divisor", "CastLike", {divisor, values});
    body("averages", "Div", {values, "typed_divisor"});
    values = "averages";
  } else if (pooling.op_type == "LpPool") {
    body.constant("root_number", 1.0 / static_cast<double>(pooling.power));
    body("root", "CastLike", {"root_number", values});
    body("roots", "Pow", {values, "root"});
    values = "roots";
  }
  body("Y", "Cast", {values}, {{"to", type}});
  return body.function();
}

// What a window reaches over the end of its axis, on either side, or nothing if that depends on a
// size that is not known. `end` is what the node counts as padding, `behind` what rounding up adds
// to it.
struct Border {
  int64_t begin = 0, end = 0, behind = 0;
};

std::optional<Border> border_of(const Pooling& pooling, const Window& window, std::optional<int64_t> size) {
  Border border{window.pad_begin, window.pad_end, 0};
  if (!pooling.is_same() && !pooling.rounds_up) return border;
  if (!size) return std::nullopt;
  if (pooling.is_same()) {
    const int64_t count = (*size + window.stride - 1) / window.stride;
    const int64_t total = std::max<int64_t>((count - 1) * window.stride + window.reach() - *size, 0);
    border.begin = pooling.auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
    border.end = total - border.begin;
    return border;
  }
  const int64_t padded = *size + border.begin + border.end;
  // An axis that is shorter than the window may have a place for one all the same: rounded up.
  if (padded + window.stride <= window.reach()) return std::nullopt;
  int64_t steps = (padded - window.reach() + window.stride - 1) / window.stride;
  // A last window that begins in the padding behind is none.
  if (steps * window.stride >= *size + border.begin) --steps;
  border.behind = std::max<int64_t>(steps * window.stride + window.reach() - padded, 0);
  return border;
}

// A sum over windows is a convolution with ones, which runtimes compute in one pass; nothing if
// there are sizes that have to be known for it.
std::optional<Lowering> by_convolution(const CallSite& site, const Pooling& pooling) {
  if (pooling.op_type == "MaxPool" || site.dtype(0) != onnx::TensorProto::FLOAT) return std::nullopt;
  const size_t axes = pooling.windows.size();
  std::vector<Border> borders;
  std::vector<int64_t> sizes, kernel, strides, dilations, begins, ends, behind;
  int64_t cells = 1;
  for (size_t i = 0; i < axes; ++i) {
    const Window& window = pooling.windows[i];
    const std::optional<int64_t> size = site.dim(0, static_cast<int>(i) + 2);
    const std::optional<Border> border = border_of(pooling, window, size);
    if (!border) return std::nullopt;
    // ONNX Runtime has no convolution of less than a window, not even to nothing.
    if (size && *size + border->begin + border->end + border->behind < window.reach()) return std::nullopt;
    borders.push_back(*border);
    sizes.push_back(size.value_or(-1));
    kernel.push_back(window.size);
    strides.push_back(window.stride);
    dilations.push_back(window.dilation);
    begins.push_back(border->begin);
    ends.push_back(border->end + border->behind);
    behind.push_back(border->behind);
    cells *= window.size;
  }
  const auto is_any = [](const std::vector<int64_t>& values) {
    return std::ranges::any_of(values, [](int64_t v) { return v != 0; });
  };
  const bool is_average = pooling.op_type == "AveragePool";
  const bool all_count_alike = pooling.counts_padding ? !is_any(behind) : !is_any(begins) && !is_any(ends);
  Body body("ai.onnx", pooling.op_type, {"X"}, {"Y"}, 13);
  // How many filters there are for so many channels. Without AVX-512, OpenVINO 2026.4 computes
  // other numbers for one filter of one channel in three dimensions whose dilations differ; for two
  // it is right, and the second is left out.
  const bool is_dilated_volume =
      axes == 3 && std::ranges::any_of(dilations, [](int64_t dilation) { return dilation != 1; });
  const auto filters = [&](int64_t channels) { return is_dilated_volume && channels == 1 ? 2 : channels; };
  const auto convolution = [&](std::string_view name, std::string_view of, std::string_view weights, int64_t group,
                               Ints pads, const Ints& after) {
    pads.insert(pads.end(), after.begin(), after.end());
    const bool twice = filters(group) != group;
    body(twice ? fmt::format("{}_twice", name) : std::string(name), "Conv", {of, weights},
         {{"dilations", dilations}, {"group", group}, {"kernel_shape", kernel}, {"pads", pads}, {"strides", strides}});
    if (!twice) return;
    const std::string first = body.ints({0}, "first_filter"), one = body.ints({1}, "one_filter");
    body(name, "Slice", {fmt::format("{}_twice", name), first, one, one});
  };
  const auto filled = [&](std::string_view name, std::vector<int64_t> shape, const std::vector<int64_t>& rest,
                          double value) {
    shape.insert(shape.end(), rest.begin(), rest.end());
    body(name, "ConstantOfShape", {body.ints(shape, "filled")}, {{"value", one_float(value)}});
  };
  std::string values = "X";
  if (pooling.op_type == "LpPool") {
    if (pooling.power == 2) {
      body("powers", "Mul", {"X", "X"});
    } else {
      body("magnitude", "Abs", {"X"});
      body("powers", "Pow", {"magnitude", body.float_scalar(static_cast<double>(pooling.power), "power")});
    }
    values = "powers";
  }
  const std::optional<int64_t> channels = site.dim(0, 1);
  body("shape", "Shape", {"X"});
  if (!channels) {
    // Each channel is an image of its own.
    const std::string end = body.ints({static_cast<int64_t>(axes) + 2}, "end"), start = body.ints({2}, "start");
    body("sizes", "Slice", {"shape", start, end});
    body("image_shape", "Concat", {body.ints({-1, 1}, "images"), "sizes"}, {{"axis", 0}});
    body("images", "Reshape", {values, "image_shape"});
    values = "images";
  }
  filled("weights", {filters(channels.value_or(1)), 1}, kernel,
         is_average && all_count_alike ? 1.0 / static_cast<double>(cells) : 1.0);
  convolution("sums", values, "weights", channels.value_or(1), begins, ends);
  std::string result = "sums";
  if (is_average && !all_count_alike) {
    filled("ones", {filters(1), 1}, kernel, 1);
    if (pooling.counts_padding) {
      std::vector<int64_t> padded;
      for (size_t i = 0; i < axes; ++i) padded.push_back(sizes[i] + borders[i].begin + borders[i].end);
      filled("counted", {1, 1}, padded, 1);
      convolution("counts", "counted", "ones", 1, std::vector<int64_t>(axes, 0), behind);
    } else {
      const std::string to = body.ints({static_cast<int64_t>(axes) + 2}, "to"), from = body.ints({2}, "from");
      body("counted_sizes", "Slice", {"shape", from, to});
      body("counted_shape", "Concat", {body.ints({1, 1}, "one_image"), "counted_sizes"}, {{"axis", 0}});
      body("counted", "ConstantOfShape", {"counted_shape"}, {{"value", one_float(1)}});
      convolution("counts", "counted", "ones", 1, begins, ends);
    }
    body("averages", "Div", {"sums", "counts"});
    result = "averages";
  }
  if (!channels) {
    body("found_shape", "Shape", {result});
    const std::string last_size = body.ints({static_cast<int64_t>(axes) + 2}, "last_size"),
                      first_size = body.ints({2}, "first_size");
    body("found_sizes", "Slice", {"found_shape", first_size, last_size});
    const std::string batch_end = body.ints({2}, "batch_end"), batch_start = body.ints({0}, "batch_start");
    body("batch", "Slice", {"shape", batch_start, batch_end});
    body("result_shape", "Concat", {"batch", "found_sizes"}, {{"axis", 0}});
    body("all_channels", "Reshape", {result, "result_shape"});
    result = "all_channels";
  }
  if (pooling.op_type != "LpPool" || pooling.power == 1) {
    body("Y", "Identity", {result});
  } else if (pooling.power == 2) {
    body("Y", "Sqrt", {result});
  } else {
    body("Y", "Pow", {result, body.float_scalar(1.0 / static_cast<double>(pooling.power), "root")});
  }
  return body.function();
}

// For both ends of each axis: the pads of a pooling or, with two axes in front, of a Pad.
Ints both_ends(const std::vector<Border>& borders, size_t axes_in_front, int64_t Border::*begin, int64_t Border::*end) {
  const size_t axes = axes_in_front + borders.size();
  Ints pads(2 * axes, 0);
  for (size_t i = 0; i < borders.size(); ++i) {
    if (begin != nullptr) pads[axes_in_front + i] = borders[i].*begin;
    pads[axes + axes_in_front + i] = borders[i].*end;
  }
  return pads;
}

// The same windows, where the padding says all that auto_pad and sizes rounded up add to it.
Lowering with_explicit_pads(const CallSite& site) {
  constexpr int64_t first_pad_by_input = 11;
  const Pooling pooling = read(site);
  if (!pooling.rounds_up && !pooling.is_same()) return Declined{"its pads say all of its padding", {}, true};
  std::vector<Border> borders;
  for (size_t i = 0; i < pooling.windows.size(); ++i) {
    const std::optional<Border> border = border_of(pooling, pooling.windows[i], site.dim(0, static_cast<int>(i) + 2));
    if (!border)
      return Declined{fmt::format("how many elements its input has along axis {} is not known, or too few", i + 2)};
    borders.push_back(*border);
  }
  const std::vector<std::string> outputs = first_names({"Y", "Indices"}, site.output_count());
  Body body("ai.onnx", pooling.op_type, {"X"}, outputs, site.own_opset());
  const bool is_more_behind = std::ranges::any_of(borders, [](const Border& border) { return border.behind != 0; });
  if (pooling.counts_padding && is_more_behind) {
    // What rounding up adds does not count: it stays padding, and what counts becomes zeros of the
    // input.
    const Ints counted = both_ends(borders, 2, &Border::begin, &Border::end);
    if (site.own_opset() < first_pad_by_input) {
      body("padded", "Pad", {"X"}, {{"pads", counted}});
    } else {
      body("padded", "Pad", {"X", body.ints(counted, "pads")});
    }
    body.node(outputs, pooling.op_type, {"padded"}, {{"pads", both_ends(borders, 0, nullptr, &Border::behind)}});
  } else {
    for (Border& border : borders) border.end += border.behind;
    body.node(outputs, pooling.op_type, {"X"}, {{"pads", both_ends(borders, 0, &Border::begin, &Border::end)}});
    body.copy_attributes(site, {"count_include_pad"}, pooling.op_type);
  }
  body.copy_attributes(site, {"dilations", "kernel_shape", "p", "storage_order", "strides"}, pooling.op_type);
  return body.function();
}

// The same windows behind a Reshape that changes nothing, for a runtime that takes a Pad before
// them for padding of their own, which counts for less.
Lowering behind_reshape(const CallSite& site) {
  if (!site.is_made_by(0, "Pad")) return Declined{"no Pad is before it", {}, true};
  const Pooling pooling = read(site);
  const std::vector<std::string> outputs = first_names({"Y", "Indices"}, site.output_count());
  const std::string& op_type = site.node().op_type();
  Body body("ai.onnx", op_type, {"X"}, outputs, site.own_opset());
  const std::string same = body.reshape("X", Ints(pooling.windows.size() + 2, 0), "same");
  body.node(outputs, op_type, {same});
  body.copy_attributes(
      site,
      {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "storage_order", "strides"},
      op_type);
  return body.function();
}

// Codes of eight bits as floats, which hold all of them. Nothing where a window might be all
// padding, whose greatest number is no code.
std::optional<Lowering> greatest_through_float(const CallSite& site, const Pooling& pooling) {
  const std::optional<int> type = site.dtype(0);
  if (pooling.op_type != "MaxPool" || pooling.rounds_up) return std::nullopt;
  if (type != onnx::TensorProto::INT8 && type != onnx::TensorProto::UINT8) return std::nullopt;
  const auto reaches_an_element = [](const Window& window) {
    return window.dilation == 1 && window.pad_begin < window.size && window.pad_end < window.size;
  };
  if (!std::ranges::all_of(pooling.windows, reaches_an_element)) return std::nullopt;
  Body body("ai.onnx", "MaxPool", {"X"}, {"Y"}, 12);
  body("numbers", "Cast", {"X"}, {{"to", onnx::TensorProto::FLOAT}});
  body("greatest", "MaxPool", {"numbers"});
  body.copy_attributes(site, {"auto_pad", "dilations", "kernel_shape", "pads", "strides"}, "MaxPool");
  body("Y", "Cast", {"greatest"}, {{"to", *type}});
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.has_output(1)) return Declined{"below opset 10 the places of the maxima cannot be said of such windows"};
  const Pooling pooling = read(site);
  if (site.rank(0) && *site.rank(0) != static_cast<int>(pooling.windows.size()) + 2)
    return Declined{"its kernel is not of its input's rank"};
  if (std::optional<Lowering> greatest = greatest_through_float(site, pooling)) return *std::move(greatest);
  if (std::optional<Lowering> convolution = by_convolution(site, pooling)) return *std::move(convolution);
  return by_axis(site, pooling);
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view source, std::string_view attributes) {
  return {
      .domain = "ai.onnx",
      .op_type = op_type,
      .summary = "Windows with dilations or with sizes rounded up: convolutions with ones, or gathered axis by axis.",
      .source = source,
      .attributes = attributes,
      .required_attributes = "kernel_shape",
      .lower = lower};
}

constexpr NativeRule with_pads(NativeRule rule) {
  rule.summary = "With pads in the place of auto_pad and of sizes that are rounded up.";
  rule.turn = RuleTurn::first;
  rule.makes_it_anew = true;
  rule.lower = with_explicit_pads;
  return rule;
}

constexpr NativeRule behind_a_reshape(NativeRule rule) {
  rule.summary = "Behind a Reshape, for a runtime that joins it wrongly with a Pad.";
  rule.turn = RuleTurn::first;
  rule.makes_it_anew = true;
  rule.lower = behind_reshape;
  return rule;
}

constexpr NativeRule average =
    rule_for("AveragePool", "ONNX AveragePool-22",
             "auto_pad, ceil_mode, count_include_pad, dilations, kernel_shape, pads, strides");
constexpr NativeRule lp =
    rule_for("LpPool", "ONNX LpPool-22", "auto_pad, ceil_mode, dilations, kernel_shape, p, pads, strides");
constexpr NativeRule greatest = rule_for("MaxPool", "ONNX MaxPool-22",
                                         "auto_pad, ceil_mode, dilations, kernel_shape, pads, storage_order, strides");
const NativeRule rules[] = {behind_a_reshape(average),
                            behind_a_reshape(greatest),
                            with_pads(average),
                            with_pads(lp),
                            with_pads(greatest),
                            average,
                            lp,
                            greatest};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_pooling

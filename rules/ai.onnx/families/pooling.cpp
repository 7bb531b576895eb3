// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Pooling with dilations, or with sizes rounded up, where the opset's pooling has none of it, and
// of element types that it does not take. Over the elements x of a place's window:
//
//     y = max(x), y = sum(x) / count or y = sum(|x|^p)^(1 / p)
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

// The windows along one axis. Makes `index_<axis>`, (places of the result) x (elements of the
// window), `inside_<axis>`, which says which of them are there, and, for AveragePool,
// `divisor_<axis>`.
class WindowsOfAxis {
 public:
  // The axis has at least `least_size` elements.
  WindowsOfAxis(Body& body, const Pooling& pooling, size_t number, int64_t least_size)
      : body_(body),
        pooling_(pooling),
        window_(pooling.windows[number]),
        axes_behind_(pooling.windows.size() - number - 1),
        axis_(static_cast<int64_t>(number) + 2),
        least_size_(least_size) {}

  void append() {
    const std::string place = number("place", axis_);
    stride_ = number("stride", window_.stride);
    size_ = line("size", "Gather", {"shape", place}, {{"axis", 0}});
    if (pooling_.is_same()) {
      share_padding();
    } else {
      find_places();
    }
    const std::string elements = elements_of_windows();
    if (pooling_.op_type == "AveragePool") append_divisor(elements);
  }

 private:
  std::string line(std::string_view name, std::string_view op_type, const Values& inputs,
                   std::initializer_list<BodyAttribute> attributes = {}) {
    return body_(fmt::format("{}_{}", name, axis_), op_type, inputs, attributes);
  }
  std::string number(std::string_view name, int64_t value) {
    return body_.constant(fmt::format("{}_{}", name, axis_), value);
  }

  // There are as many places as strides begin within the input; what is missing at the ends is
  // shared.
  void share_padding() {
    const std::string round = number("round", window_.stride - 1), reach = number("reach", window_.reach());
    const std::string padded = line("rounded_size", "Add", {size_, round});
    count_ = line("count", "Div", {padded, stride_});
    const std::string before_last = line("before_last", "Sub", {count_, "one"});
    const std::string last_begin = line("last_begin", "Mul", {before_last, stride_});
    const std::string last_end = line("last_end", "Add", {last_begin, reach});
    const std::string missing = line("missing", "Sub", {last_end, size_});
    const std::string total = line("total_pad", "Max", {missing, "none"});
    const std::string half = line("half_pad", "Div", {total, "two"});
    const std::string rest = line("other_pad", "Sub", {total, half});
    begin_ = pooling_.auto_pad == "SAME_UPPER" ? half : rest;
    end_ = pooling_.auto_pad == "SAME_UPPER" ? rest : half;
  }

  void find_places() {
    const int64_t more_than_size =
        window_.pad_begin + window_.pad_end - window_.reach() + (pooling_.rounds_up ? window_.stride - 1 : 0);
    // Div rounds towards zero: where the window may be longer than its axis, as many strides are
    // added as keep the dividend from being negative, and the places begin behind them.
    const int64_t lacking = std::max<int64_t>(-(more_than_size + least_size_), 0);
    const int64_t added = (lacking + window_.stride - 1) / window_.stride;
    if (added != 0) first_ = number("first", added);
    begin_ = number("begin", window_.pad_begin + added * window_.stride);
    end_ = number("end", window_.pad_end);
    const std::string more = number("more", more_than_size + added * window_.stride);
    const std::string way = line("way", "Add", {size_, more});
    const std::string steps = line("steps", "Div", {way, stride_});
    count_ = line("plain_count", "Add", {steps, "one"});
    if (!pooling_.rounds_up) return;
    // A last window that begins in the padding behind is none.
    const std::string last_begin = line("last_begin", "Mul", {steps, stride_});
    const std::string limit = line("limit", "Add", {size_, begin_});
    const std::string starts_within = line("starts_within", "Less", {last_begin, limit});
    const std::string last = line("last_counts", "Cast", {starts_within}, {{"to", 7}});
    count_ = line("count", "Add", {steps, last});
  }

  // Gives the numbers of the elements as counted from the first one of the axis, (places) x
  // (elements of the window); those that are not there have the number behind the last in
  // `index_<axis>`.
  std::string elements_of_windows() {
    Ints offsets = numbers_below(window_.size);
    for (int64_t& offset : offsets) offset *= window_.dilation;
    const std::string offset = body_.ints(offsets, "offsets");
    const std::string line_of = line("line", "Range", {first_, count_, "one"});
    const std::string starts = line("starts", "Mul", {line_of, stride_});
    const std::string moved = line("moved", "Sub", {starts, begin_});
    const std::string column = body_.reshape(moved, {-1, 1}, "column");
    const std::string elements = line("elements", "Add", {column, offset});
    const std::string before = line("before", "Less", {elements, "none"});
    const std::string not_before = line("not_before", "Not", {before});
    const std::string not_behind = line("not_behind", "Less", {elements, size_});
    inside_ = line("inside", "And", {not_before, not_behind});
    line("index", "Where", {inside_, elements, size_});
    return elements;
  }

  // How many elements of each window count, in a shape that broadcasts to that of the result.
  void append_divisor(const std::string& elements) {
    std::string counted = inside_;
    if (pooling_.counts_padding) {
      // The padding counts, and not what rounding up the size has added.
      const std::string limit = line("padded_size", "Add", {size_, end_});
      counted = line("within_padding", "Less", {elements, limit});
    }
    const std::string shares = line("shares", "Cast", {counted}, {{"to", 1}});
    const std::string divisor = line("window_divisor", "ReduceSum", {shares, "second"}, {{"keepdims", 0}});
    Ints dims(axes_behind_ + 1, 1);
    dims.front() = -1;
    line("divisor", "Identity", {body_.reshape(divisor, dims, "window_counts")});
  }

  Body& body_;
  const Pooling& pooling_;
  const Window& window_;
  const size_t axes_behind_;
  const int64_t axis_, least_size_;
  std::string stride_, size_, inside_;
  std::string first_ = "none", count_;  // the places go from `first_` to before `count_`
  std::string begin_, end_;             // how far the padding reaches
};

onnx::TensorProto lowest_of(int type) {
  if (type == onnx::TensorProto::INT8) return tensor_of(onnx::TensorProto::INT8, {}, Ints{-128});
  if (type == onnx::TensorProto::UINT8) return tensor_of(onnx::TensorProto::UINT8, {}, Ints{0});
  return tensor_of(onnx::TensorProto::FLOAT, {}, std::vector<double>{-std::numeric_limits<double>::infinity()});
}

class ByAxis {
 public:
  ByAxis(const CallSite& site, const Pooling& pooling)
      : site_(site),
        pooling_(pooling),
        type_(site.need_dtype(0)),
        is_max_(pooling.op_type == "MaxPool"),
        body_("ai.onnx", pooling.op_type, {"X"}, {"Y"}, 15) {
    const bool is_byte = type_ == onnx::TensorProto::INT8 || type_ == onnx::TensorProto::UINT8;
    if (type_ != onnx::TensorProto::FLOAT && type_ != onnx::TensorProto::DOUBLE &&
        type_ != onnx::TensorProto::FLOAT16 && !(is_max_ && is_byte))
      decline("its elements are no floating-point numbers");
  }

  Lowering lowering() {
    body_.constant("none", 0);
    body_.constant("one", 1);
    body_.constant("two", 2);
    body_.constant("second", Ints{1});
    body_("shape", "Shape", {"X"});
    std::string values = reduced_elements();
    if (is_max_) {
      body_.constant("outside_number", lowest_of(type_));
    } else {
      body_.constant("outside_number", 0.0);
    }
    body_("outside", "CastLike", {"outside_number", values});
    for (size_t number = 0; number < pooling_.windows.size(); ++number) values = pooled(values, number);
    body_("Y", "Cast", {finished(values)}, {{"to", type_}});
    return body_.function();
  }

 private:
  // Gives what is reduced: the elements, or their powers. Sums of half precision are made in single
  // precision.
  std::string reduced_elements() {
    const bool is_half = type_ == onnx::TensorProto::FLOAT16 && !is_max_;
    std::string values = is_half ? body_("wide_X", "Cast", {"X"}, {{"to", 1}}) : "X";
    if (pooling_.op_type != "LpPool") return values;
    body_.constant("power_number", static_cast<double>(pooling_.power));
    body_("power", "CastLike", {"power_number", values});
    body_("magnitude", "Abs", {values});
    return body_("powers", "Pow", {"magnitude", "power"});
  }

  std::string pooled(const std::string& values, size_t number) {
    const int64_t axis = static_cast<int64_t>(number) + 2;
    const auto of_axis = [&](std::string_view name) { return fmt::format("{}_{}", name, axis); };
    WindowsOfAxis(body_, pooling_, number, site_.dim(0, static_cast<int>(axis)).value_or(0)).append();
    const std::string place = body_.ints({axis}, "border_axis"), single = body_.ints({1}, "single");
    body_(of_axis("values_shape"), "Shape", {values});
    body_(of_axis("border_shape"), "ScatterElements", {of_axis("values_shape"), place, single}, {{"axis", 0}});
    body_(of_axis("border"), "Expand", {"outside", of_axis("border_shape")});
    body_(of_axis("with_border"), "Concat", {values, of_axis("border")}, {{"axis", axis}});
    body_(of_axis("windows"), "Gather", {of_axis("with_border"), of_axis("index")}, {{"axis", axis}});
    const std::string result = of_axis("pooled");
    if (is_max_) {
      body_(result, "ReduceMax", {of_axis("windows")}, {{"axes", Ints{axis + 1}}, {"keepdims", 0}});
    } else {
      body_(result, "ReduceSum", {of_axis("windows"), body_.ints({axis + 1}, "axes")}, {{"keepdims", 0}});
    }
    if (pooling_.op_type == "AveragePool") {
      const std::string divisor = of_axis("divisor");
      divisor_ = divisor_.empty() ? divisor : body_(of_axis("divisors"), "Mul", {divisor_, divisor});
    }
    return result;
  }

  // Gives the averages or the roots of the sums, or what is there already.
  std::string finished(const std::string& values) {
    if (pooling_.op_type == "AveragePool") {
      body_("typed_divisor", "CastLike", {divisor_, values});
      return body_("averages", "Div", {values, "typed_divisor"});
    }
    if (pooling_.op_type != "LpPool") return values;
    body_.constant("root_number", 1.0 / static_cast<double>(pooling_.power));
    body_("root", "CastLike", {"root_number", values});
    return body_("roots", "Pow", {values, "root"});
  }

  const CallSite& site_;
  const Pooling& pooling_;
  const int type_;
  const bool is_max_;
  Body body_;
  std::string divisor_;  // the product of those of the axes so far
};

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

// What a convolution has to know of the windows, for each axis.
struct Geometry {
  std::vector<Border> borders;
  Ints sizes;  // -1 where one is not known
  Ints kernel, strides, dilations;
  Ints begins, ends, behind;  // `ends` is all padding behind the axis, `behind` what does not count
  int64_t cells = 1;          // of the kernel

  size_t axes() const { return kernel.size(); }
  // Whether dilations of three axes are other than 1.
  bool is_dilated_volume() const {
    return axes() == 3 && std::ranges::any_of(dilations, [](int64_t dilation) { return dilation != 1; });
  }
};

// Nothing if there are sizes that have to be known for it.
std::optional<Geometry> geometry_of(const CallSite& site, const Pooling& pooling) {
  Geometry geometry;
  for (size_t i = 0; i < pooling.windows.size(); ++i) {
    const Window& window = pooling.windows[i];
    const std::optional<int64_t> size = site.dim(0, static_cast<int>(i) + 2);
    const std::optional<Border> border = border_of(pooling, window, size);
    if (!border) return std::nullopt;
    // ONNX Runtime has no convolution of less than a window, not even to nothing.
    if (size && *size + border->begin + border->end + border->behind < window.reach()) return std::nullopt;
    geometry.borders.push_back(*border);
    geometry.sizes.push_back(size.value_or(-1));
    geometry.kernel.push_back(window.size);
    geometry.strides.push_back(window.stride);
    geometry.dilations.push_back(window.dilation);
    geometry.begins.push_back(border->begin);
    geometry.ends.push_back(border->end + border->behind);
    geometry.behind.push_back(border->behind);
    geometry.cells *= window.size;
  }
  return geometry;
}

// A sum over windows is a convolution with ones, which runtimes compute in one pass.
class ByConvolution {
 public:
  ByConvolution(const CallSite& site, const Pooling& pooling, Geometry geometry)
      : pooling_(pooling),
        geometry_(std::move(geometry)),
        channels_(site.dim(0, 1)),
        body_("ai.onnx", pooling.op_type, {"X"}, {"Y"}, 13) {}

  Lowering lowering() {
    std::string values = pooling_.op_type == "LpPool" ? powers() : "X";
    body_("shape", "Shape", {"X"});
    if (!channels_) values = channels_as_images(values);
    const bool is_average = pooling_.op_type == "AveragePool";
    const bool is_divided = is_average && !all_count_alike();
    fill("weights", {filters(channels_.value_or(1)), 1}, geometry_.kernel,
         is_average && !is_divided ? 1.0 / static_cast<double>(geometry_.cells) : 1.0);
    convolve("sums", values, "weights", channels_.value_or(1), geometry_.begins, geometry_.ends);
    std::string result = is_divided ? averages() : "sums";
    if (!channels_) result = images_as_channels(result);
    give_roots(result);
    return body_.function();
  }

 private:
  // Whether as many elements count in each window.
  bool all_count_alike() const {
    const auto is_none = [](const Ints& values) {
      return std::ranges::all_of(values, [](int64_t value) { return value == 0; });
    };
    return pooling_.counts_padding ? is_none(geometry_.behind) : is_none(geometry_.begins) && is_none(geometry_.ends);
  }

  // How many filters there are for so many channels. Without AVX-512, OpenVINO 2026.4 computes
  // other numbers for one filter of one channel in three dimensions whose dilations differ; for two
  // it is right, and the second is left out.
  int64_t filters(int64_t channels) const { return geometry_.is_dilated_volume() && channels == 1 ? 2 : channels; }

  void convolve(std::string_view name, std::string_view of, std::string_view weights, int64_t group, Ints pads,
                const Ints& after) {
    pads.insert(pads.end(), after.begin(), after.end());
    const bool twice = filters(group) != group;
    body_(twice ? fmt::format("{}_twice", name) : std::string(name), "Conv", {of, weights},
          {{"dilations", geometry_.dilations},
           {"group", group},
           {"kernel_shape", geometry_.kernel},
           {"pads", pads},
           {"strides", geometry_.strides}});
    if (!twice) return;
    const std::string first = body_.ints({0}, "first_filter"), one = body_.ints({1}, "one_filter");
    body_(name, "Slice", {fmt::format("{}_twice", name), first, one, one});
  }

  void fill(std::string_view name, Ints shape, const Ints& rest, double value) {
    shape.insert(shape.end(), rest.begin(), rest.end());
    body_(name, "ConstantOfShape", {body_.ints(shape, "filled")}, {{"value", one_float(value)}});
  }

  // Gives the dimensions of a shape behind the first two.
  std::string spatial(std::string_view name, std::string_view shape, std::string_view start_name,
                      std::string_view end_name) {
    const std::string end = body_.ints({static_cast<int64_t>(geometry_.axes()) + 2}, end_name),
                      start = body_.ints({2}, start_name);
    return body_(name, "Slice", {shape, start, end});
  }

  std::string powers() {
    if (pooling_.power == 2) return body_("powers", "Mul", {"X", "X"});
    body_("magnitude", "Abs", {"X"});
    return body_("powers", "Pow", {"magnitude", body_.float_scalar(static_cast<double>(pooling_.power), "power")});
  }

  // Each channel becomes an image of its own, and back.
  std::string channels_as_images(const std::string& values) {
    spatial("sizes", "shape", "start", "end");
    body_("image_shape", "Concat", {body_.ints({-1, 1}, "images"), "sizes"}, {{"axis", 0}});
    return body_("images", "Reshape", {values, "image_shape"});
  }
  std::string images_as_channels(const std::string& result) {
    body_("found_shape", "Shape", {result});
    spatial("found_sizes", "found_shape", "first_size", "last_size");
    const std::string batch_end = body_.ints({2}, "batch_end"), batch_start = body_.ints({0}, "batch_start");
    body_("batch", "Slice", {"shape", batch_start, batch_end});
    body_("result_shape", "Concat", {"batch", "found_sizes"}, {{"axis", 0}});
    return body_("all_channels", "Reshape", {result, "result_shape"});
  }

  // Gives the sums divided by how many elements count, which is the sum over an image of ones.
  std::string averages() {
    fill("ones", {filters(1), 1}, geometry_.kernel, 1);
    if (pooling_.counts_padding) {
      Ints padded;
      for (size_t i = 0; i < geometry_.axes(); ++i) {
        const Border& border = geometry_.borders[i];
        padded.push_back(geometry_.sizes[i] + border.begin + border.end);
      }
      fill("counted", {1, 1}, padded, 1);
      convolve("counts", "counted", "ones", 1, Ints(geometry_.axes(), 0), geometry_.behind);
    } else {
      spatial("counted_sizes", "shape", "from", "to");
      body_("counted_shape", "Concat", {body_.ints({1, 1}, "one_image"), "counted_sizes"}, {{"axis", 0}});
      body_("counted", "ConstantOfShape", {"counted_shape"}, {{"value", one_float(1)}});
      convolve("counts", "counted", "ones", 1, geometry_.begins, geometry_.ends);
    }
    return body_("averages", "Div", {"sums", "counts"});
  }

  void give_roots(const std::string& result) {
    if (pooling_.op_type != "LpPool" || pooling_.power == 1) {
      body_("Y", "Identity", {result});
    } else if (pooling_.power == 2) {
      body_("Y", "Sqrt", {result});
    } else {
      body_("Y", "Pow", {result, body_.float_scalar(1.0 / static_cast<double>(pooling_.power), "root")});
    }
  }

  const Pooling& pooling_;
  const Geometry geometry_;
  const std::optional<int64_t> channels_;
  Body body_;
};

// Gives a number for both ends of each axis: the pads of a pooling or, with two axes in front, of a
// Pad.
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

// Pools codes of eight bits as floats, which hold all of them; nothing where a window might be all
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
  if (pooling.op_type != "MaxPool" && site.dtype(0) == onnx::TensorProto::FLOAT) {
    if (std::optional<Geometry> geometry = geometry_of(site, pooling))
      return ByConvolution(site, pooling, *std::move(geometry)).lowering();
  }
  return ByAxis(site, pooling).lowering();
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

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Pooling with dilations, or with sizes rounded up, where the opset's pooling has none of it, and of element types that it does not take.
//
// A sum over windows is a convolution with ones. Where that cannot be said, sums, and maxima always, are those along one axis after the other: for each place of the result its
// window's elements are gathered along a new dimension, which is then reduced. What is outside is one more element, behind the last.
#include <algorithm>

#include "../com.microsoft/body_text.h"

namespace onnx_lower {
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
  pooling.rounds_up = site.attribute_int("ceil_mode", 0) != 0;
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

// For one axis: `index_<axis>`, (places of the result) x (elements of the window), and `inside_<axis>`, which of them are there.
void append_index(BodyText& body, const Pooling& pooling, size_t number) {
  const Window& window = pooling.windows[number];
  const int64_t axis = static_cast<int64_t>(number) + 2;
  const auto line = [&](const char* name, const std::string& expression) {
    body.line("{}_{} = {}", name, axis, expression);
    return fmt::format("{}_{}", name, axis);
  };
  const auto number_of = [&](const char* name, int64_t value) {
    return line(name, fmt::format("Constant <value = int64 {{{}}}> ()", value));
  };
  const std::string place = number_of("place", axis), stride = number_of("stride", window.stride);
  const std::string size = line("size", fmt::format("Gather <axis = 0> (shape, {})", place));
  std::string count, begin, end;
  if (pooling.is_same()) {
    // As many places as strides begin within the input; what is missing at the ends is shared.
    const std::string round = number_of("round", window.stride - 1), reach = number_of("reach", window.reach());
    const std::string padded = line("rounded_size", fmt::format("Add ({}, {})", size, round));
    count = line("count", fmt::format("Div ({}, {})", padded, stride));
    const std::string before_last = line("before_last", fmt::format("Sub ({}, one)", count));
    const std::string last_begin = line("last_begin", fmt::format("Mul ({}, {})", before_last, stride));
    const std::string last_end = line("last_end", fmt::format("Add ({}, {})", last_begin, reach));
    const std::string missing = line("missing", fmt::format("Sub ({}, {})", last_end, size));
    const std::string total = line("total_pad", fmt::format("Max ({}, none)", missing));
    const std::string half = line("half_pad", fmt::format("Div ({}, two)", total));
    const std::string rest = line("other_pad", fmt::format("Sub ({}, {})", total, half));
    begin = pooling.auto_pad == "SAME_UPPER" ? half : rest;
    end = pooling.auto_pad == "SAME_UPPER" ? rest : half;
  } else {
    begin = number_of("begin", window.pad_begin);
    end = number_of("end", window.pad_end);
    const std::string more = number_of(
        "more", window.pad_begin + window.pad_end - window.reach() + (pooling.rounds_up ? window.stride - 1 : 0));
    const std::string way = line("way", fmt::format("Add ({}, {})", size, more));
    const std::string steps = line("steps", fmt::format("Div ({}, {})", way, stride));
    count = line("plain_count", fmt::format("Add ({}, one)", steps));
    if (pooling.rounds_up) {
      // A last window that begins in the padding behind is none.
      const std::string last_begin = line("last_begin", fmt::format("Mul ({}, {})", steps, stride));
      const std::string limit = line("limit", fmt::format("Add ({}, {})", size, begin));
      const std::string starts_within = line("starts_within", fmt::format("Less ({}, {})", last_begin, limit));
      const std::string last = line("last_counts", fmt::format("Cast <to = 7> ({})", starts_within));
      count = line("count", fmt::format("Add ({}, {})", steps, last));
    }
  }
  std::vector<int64_t> offsets;
  for (int64_t element = 0; element < window.size; ++element) offsets.push_back(element * window.dilation);
  const std::string offset = body.ints(offsets, "offsets");
  const std::string line_of = line("line", fmt::format("Range (none, {}, one)", count));
  const std::string starts = line("starts", fmt::format("Mul ({}, {})", line_of, stride));
  const std::string moved = line("moved", fmt::format("Sub ({}, {})", starts, begin));
  const std::string column = body.reshape(moved, {-1, 1}, "column");
  const std::string elements = line("elements", fmt::format("Add ({}, {})", column, offset));
  const std::string before = line("before", fmt::format("Less ({}, none)", elements));
  const std::string not_before = line("not_before", fmt::format("Not ({})", before));
  const std::string not_behind = line("not_behind", fmt::format("Less ({}, {})", elements, size));
  line("inside", fmt::format("And ({}, {})", not_before, not_behind));
  line("index", fmt::format("Where (inside_{}, {}, {})", axis, elements, size));
  if (pooling.op_type == "AveragePool") {
    std::string counted = fmt::format("inside_{}", axis);
    if (pooling.counts_padding) {
      // The padding counts, and not what rounding up the size has added.
      const std::string limit = line("padded_size", fmt::format("Add ({}, {})", size, end));
      counted = line("within_padding", fmt::format("Less ({}, {})", elements, limit));
    }
    const std::string shares = line("shares", fmt::format("Cast <to = 1> ({})", counted));
    const std::string divisor = line("window_divisor", fmt::format("ReduceSum <keepdims = 0> ({}, second)", shares));
    std::vector<int64_t> dims(pooling.windows.size() - number, 1);
    dims.front() = -1;
    body.line("divisor_{} = Identity ({})", axis, body.reshape(divisor, dims, "window_counts"));
  }
}

std::string lowest_of(int type) {
  switch (type) {
    case onnx::TensorProto::INT8:
      return "int8 {-128}";
    case onnx::TensorProto::UINT8:
      return "uint8 {0}";
    default:
      return "float {-inf}";
  }
}

Lowering by_axis(const CallSite& site, const Pooling& pooling) {
  const int type = site.need_dtype(0);
  const bool is_byte = type == onnx::TensorProto::INT8 || type == onnx::TensorProto::UINT8;
  const bool is_max = pooling.op_type == "MaxPool";
  if (type != onnx::TensorProto::FLOAT && type != onnx::TensorProto::DOUBLE && type != onnx::TensorProto::FLOAT16 &&
      !(is_max && is_byte))
    return Declined{"its elements are no floating-point numbers"};
  BodyText body("ai.onnx", pooling.op_type, {"X"}, {"Y"}, 15);
  body.line("none = Constant <value = int64 {{0}}> ()");
  body.line("one = Constant <value = int64 {{1}}> ()");
  body.line("two = Constant <value = int64 {{2}}> ()");
  body.line("second = Constant <value = int64[1] {{1}}> ()");
  body.line("shape = Shape (X)");
  // Sums of half precision are made in single precision.
  std::string values = "X";
  const bool is_half = type == onnx::TensorProto::FLOAT16 && !is_max;
  if (is_half) {
    body.line("wide_X = Cast <to = 1> (X)");
    values = "wide_X";
  }
  if (pooling.op_type == "LpPool") {
    body.line("power_number = Constant <value = float {{{}}}> ()", float_text(static_cast<double>(pooling.power)));
    body.line("power = CastLike (power_number, {})", values);
    body.line("magnitude = Abs ({})", values);
    body.line("powers = Pow (magnitude, power)");
    values = "powers";
  }
  body.line("outside_number = Constant <value = {}> ()", is_max ? lowest_of(type) : "float {0.0}");
  body.line("outside = CastLike (outside_number, {})", values);
  std::string divisor;
  for (size_t number = 0; number < pooling.windows.size(); ++number) {
    const int64_t axis = static_cast<int64_t>(number) + 2;
    append_index(body, pooling, number);
    const std::string place = body.ints({axis}, "border_axis"), single = body.ints({1}, "single");
    body.line("values_shape_{} = Shape ({})", axis, values);
    body.line("border_shape_{0} = ScatterElements <axis = 0> (values_shape_{0}, {1}, {2})", axis, place, single);
    body.line("border_{0} = Expand (outside, border_shape_{0})", axis);
    body.line("with_border_{0} = Concat <axis = {0}> ({1}, border_{0})", axis, values);
    body.line("windows_{0} = Gather <axis = {0}> (with_border_{0}, index_{0})", axis);
    values = fmt::format("pooled_{}", axis);
    if (is_max) {
      body.line("{} = ReduceMax <axes: ints = [{}], keepdims = 0> (windows_{})", values, axis + 1, axis);
    } else {
      body.line("{} = ReduceSum <keepdims = 0> (windows_{}, {})", values, axis, body.ints({axis + 1}, "axes"));
    }
    if (pooling.op_type == "AveragePool") {
      if (!divisor.empty()) body.line("divisors_{0} = Mul ({1}, divisor_{0})", axis, divisor);
      divisor = divisor.empty() ? fmt::format("divisor_{}", axis) : fmt::format("divisors_{}", axis);
    }
  }
  if (pooling.op_type == "AveragePool") {
    body.line("typed_divisor = CastLike ({}, {})", divisor, values);
    body.line("averages = Div ({}, typed_divisor)", values);
    values = "averages";
  } else if (pooling.op_type == "LpPool") {
    body.line("root_number = Constant <value = float {{{}}}> ()", float_text(1.0 / static_cast<double>(pooling.power)));
    body.line("root = CastLike (root_number, {})", values);
    body.line("roots = Pow ({}, root)", values);
    values = "roots";
  }
  body.line("Y = Cast <to = {}> ({})", type, values);
  return body.function();
}

// What a window reaches over the end of its axis, on either side, or nothing if that depends on a size that is not known. `end` is what the node counts as padding,
// `behind` what rounding up adds to it.
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
  if (padded < window.reach()) return std::nullopt;
  int64_t steps = (padded - window.reach() + window.stride - 1) / window.stride;
  // A last window that begins in the padding behind is none.
  if (steps * window.stride >= *size + border.begin) --steps;
  border.behind = std::max<int64_t>(steps * window.stride + window.reach() - padded, 0);
  return border;
}

// A sum over windows is a convolution with ones, which runtimes compute in one pass; nothing if there are sizes that have to be known for it.
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
  BodyText body("ai.onnx", pooling.op_type, {"X"}, {"Y"}, 13);
  const auto convolution = [&](std::string_view name, std::string_view of, std::string_view weights, int64_t group,
                               const std::vector<int64_t>& before, const std::vector<int64_t>& after) {
    body.line("{} = Conv <dilations = [{}], group = {}, kernel_shape = [{}], pads = [{}, {}], strides = [{}]> ({}, {})",
              name, fmt::join(dilations, ", "), group, fmt::join(kernel, ", "), fmt::join(before, ", "),
              fmt::join(after, ", "), fmt::join(strides, ", "), of, weights);
  };
  const auto filled = [&](std::string_view name, std::vector<int64_t> shape, const std::vector<int64_t>& rest,
                          double value) {
    shape.insert(shape.end(), rest.begin(), rest.end());
    body.line("{} = ConstantOfShape <value = float[1] {{{}}}> ({})", name, float_text(value),
              body.ints(shape, "filled"));
  };
  std::string values = "X";
  if (pooling.op_type == "LpPool") {
    if (pooling.power == 2) {
      body.line("powers = Mul (X, X)");
    } else {
      body.line("magnitude = Abs (X)");
      body.line("powers = Pow (magnitude, {})", body.float_scalar(static_cast<double>(pooling.power), "power"));
    }
    values = "powers";
  }
  const std::optional<int64_t> channels = site.dim(0, 1);
  body.line("shape = Shape (X)");
  if (!channels) {
    // Each channel is an image of its own.
    body.line("sizes = Slice (shape, {}, {})", body.ints({2}, "start"),
              body.ints({static_cast<int64_t>(axes) + 2}, "end"));
    body.line("image_shape = Concat <axis = 0> ({}, sizes)", body.ints({-1, 1}, "images"));
    body.line("images = Reshape ({}, image_shape)", values);
    values = "images";
  }
  filled("weights", {channels.value_or(1), 1}, kernel,
         is_average && all_count_alike ? 1.0 / static_cast<double>(cells) : 1.0);
  convolution("sums", values, "weights", channels.value_or(1), begins, ends);
  std::string result = "sums";
  if (is_average && !all_count_alike) {
    filled("ones", {1, 1}, kernel, 1);
    if (pooling.counts_padding) {
      std::vector<int64_t> padded;
      for (size_t i = 0; i < axes; ++i) padded.push_back(sizes[i] + borders[i].begin + borders[i].end);
      filled("counted", {1, 1}, padded, 1);
      convolution("counts", "counted", "ones", 1, std::vector<int64_t>(axes, 0), behind);
    } else {
      body.line("counted_sizes = Slice (shape, {}, {})", body.ints({2}, "from"),
                body.ints({static_cast<int64_t>(axes) + 2}, "to"));
      body.line("counted_shape = Concat <axis = 0> ({}, counted_sizes)", body.ints({1, 1}, "one_image"));
      body.line("counted = ConstantOfShape <value = float[1] {{1.0}}> (counted_shape)");
      convolution("counts", "counted", "ones", 1, begins, ends);
    }
    body.line("averages = Div (sums, counts)");
    result = "averages";
  }
  if (!channels) {
    body.line("found_shape = Shape ({})", result);
    body.line("found_sizes = Slice (found_shape, {}, {})", body.ints({2}, "first_size"),
              body.ints({static_cast<int64_t>(axes) + 2}, "last_size"));
    body.line("batch = Slice (shape, {}, {})", body.ints({0}, "batch_start"), body.ints({2}, "batch_end"));
    body.line("result_shape = Concat <axis = 0> (batch, found_sizes)");
    body.line("all_channels = Reshape ({}, result_shape)", result);
    result = "all_channels";
  }
  if (pooling.op_type != "LpPool" || pooling.power == 1) {
    body.line("Y = Identity ({})", result);
  } else if (pooling.power == 2) {
    body.line("Y = Sqrt ({})", result);
  } else {
    body.line("Y = Pow ({}, {})", result, body.float_scalar(1.0 / static_cast<double>(pooling.power), "root"));
  }
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.has_output(1)) return Declined{"below opset 10 the places of the maxima cannot be said of such windows"};
  const Pooling pooling = read(site);
  if (site.rank(0) && *site.rank(0) != static_cast<int>(pooling.windows.size()) + 2)
    return Declined{"its kernel is not of its input's rank"};
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

const NativeRule rules[] = {
    rule_for("AveragePool", "ONNX AveragePool-22",
             "auto_pad, ceil_mode, count_include_pad, dilations, kernel_shape, pads, strides"),
    rule_for("LpPool", "ONNX LpPool-22", "auto_pad, ceil_mode, dilations, kernel_shape, p, pads, strides"),
    rule_for("MaxPool", "ONNX MaxPool-22",
             "auto_pad, ceil_mode, dilations, kernel_shape, pads, storage_order, strides"),
};
const NativeRule::Registration registrations[] = {
    NativeRule::Registration(rules[0]), NativeRule::Registration(rules[1]), NativeRule::Registration(rules[2])};

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Resize where the model's opset does not have what the node asks for.
//
// Axes are spread over all dimensions. Where more is asked (antialiasing, a policy, coordinates that are newer or older, or an opset that has no such Resize), each axis is
// resized by itself: with mode nearest by gathering, else by a matrix whose row for each place of the result holds the weights of the input's places.
#include <fmt/format.h>

#include <algorithm>

#include "../com.microsoft/body_text.h"

namespace onnx_lower {
namespace {

constexpr int kX = 0, kRoi = 1, kScales = 2, kSizes = 3;

struct Request {
  std::string mode, coordinates, nearest_mode, policy;
  bool antialias = false, exclude_outside = false;
  float cubic_coeff_a = -0.75F, extrapolation_value = 0;
  int rank = 0;
  bool by_sizes = false;
  std::vector<int64_t> axes;     // those that scales and sizes speak of
  std::vector<int64_t> resized;  // those of them that may change

  bool crops() const { return coordinates == "tf_crop_and_resize"; }
};

Request read(const CallSite& site) {
  Request request;
  request.rank = site.need_rank(kX);
  request.mode = site.attribute_string("mode", "nearest");
  request.coordinates = site.attribute_string("coordinate_transformation_mode", "half_pixel");
  request.nearest_mode = site.attribute_string("nearest_mode", "round_prefer_floor");
  request.policy = site.attribute_string("keep_aspect_ratio_policy", "stretch");
  request.antialias = site.attribute_int("antialias", 0) != 0 && request.mode != "nearest";
  request.exclude_outside = site.attribute_int("exclude_outside", 0) != 0;
  request.cubic_coeff_a = site.attribute_float("cubic_coeff_a", -0.75F);
  request.extrapolation_value = site.attribute_float("extrapolation_value", 0);
  request.by_sizes = site.has_input(kSizes);
  if (!request.by_sizes && !site.has_input(kScales)) decline("it has neither scales nor sizes");
  for (int64_t axis : site.attribute_ints("axes", {})) {
    axis += axis < 0 ? request.rank : 0;
    if (axis < 0 || axis >= request.rank) decline(fmt::format("axis {} is out of range", axis));
    request.axes.push_back(axis);
  }
  if (request.axes.empty()) {
    for (int64_t axis = 0; axis < request.rank; ++axis) request.axes.push_back(axis);
  }
  const auto scales = request.by_sizes ? std::nullopt : site.constant_floats(kScales);
  const auto sizes = request.by_sizes ? site.constant_ints(kSizes) : std::nullopt;
  for (size_t i = 0; i < request.axes.size(); ++i) {
    const bool by_one = scales && i < scales->size() && (*scales)[i] == 1;
    const bool to_same = sizes && i < sizes->size() && request.policy == "stretch" &&
                         site.dim(kX, static_cast<int>(request.axes[i])) == (*sizes)[i];
    // A region may be another one also where the size stays.
    if (request.crops() || (!by_one && !to_same)) request.resized.push_back(request.axes[i]);
  }
  return request;
}

// The same numbers for all dimensions: `rest` is what those have that the axes do not name.
void append_spread(BodyText& body, const std::vector<int64_t>& places, std::string_view name, std::string_view rest,
                   std::string_view given) {
  const std::string list = body.ints(places, "places");
  body.line("{} = ScatterElements <axis = 0> ({}, {}, {})", name, rest, list, given);
}

const std::initializer_list<std::string_view> resize_attributes = {"coordinate_transformation_mode",
                                                                   "cubic_coeff_a",
                                                                   "exclude_outside",
                                                                   "extrapolation_value",
                                                                   "mode",
                                                                   "nearest_mode"};

Lowering without_axes(const CallSite& site, const Request& request) {
  BodyText body("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 13);
  const std::string rank = body.ints({request.rank}, "rank");
  std::string roi;
  if (request.crops() && site.has_input(kRoi)) {
    std::vector<int64_t> places = request.axes;
    for (const int64_t axis : request.axes) places.push_back(axis + request.rank);
    body.line("no_start = ConstantOfShape <value = float[1] {{0.0}}> ({})", rank);
    body.line("whole_end = ConstantOfShape <value = float[1] {{1.0}}> ({})", rank);
    body.line("whole = Concat <axis = 0> (no_start, whole_end)");
    body.line("float_roi = Cast <to = 1> (roi)");
    append_spread(body, places, "spread_roi", "whole", "float_roi");
    roi = "spread_roi";
  }
  std::string inputs;
  if (request.by_sizes) {
    body.line("shape = Shape (X)");
    append_spread(body, request.axes, "all_sizes", "shape", "sizes");
    inputs = fmt::format("{}, , all_sizes", roi);
  } else {
    body.line("same = ConstantOfShape <value = float[1] {{1.0}}> ({})", rank);
    append_spread(body, request.axes, "all_scales", "same", "scales");
    inputs = fmt::format("{}, all_scales", roi);
  }
  body.line("Y = Resize (X, {})", inputs);
  onnx::FunctionProto function = body.function();
  copy_attributes(site, resize_attributes, "Resize", function);
  return function;
}

// The same without the attributes that came with 18 and ask for nothing.
Lowering without_newer_attributes(const CallSite& site) {
  if (site.attribute("antialias") == nullptr && site.attribute("keep_aspect_ratio_policy") == nullptr)
    return Declined{"it has no axes, and is of this opset"};
  BodyText body("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 13);
  body.line("Y = Resize (X, {}, {}, {})", site.has_input(kRoi) ? "roi" : "", site.has_input(kScales) ? "scales" : "",
            site.has_input(kSizes) ? "sizes" : "");
  onnx::FunctionProto function = body.function();
  copy_attributes(site, resize_attributes, "Resize", function);
  return function;
}

// Puts the node `name` there, where `name` begins with the axis: each axis has names of its own.
class AxisBody {
 public:
  AxisBody(BodyText& body, int64_t axis) : body_(body), prefix_(fmt::format("a{}_", axis)) {}

  template <typename... Arguments>
  std::string line(std::string_view name, fmt::format_string<Arguments...> expression, Arguments&&... arguments) {
    std::string full = prefix_ + std::string(name);
    body_.line("{} = {}", full, fmt::format(expression, std::forward<Arguments>(arguments)...));
    return full;
  }

 private:
  BodyText& body_;
  std::string prefix_;
};

struct Sizes {
  std::string in, out;              // int64, of rank 0
  std::string float_in, float_out;  // the same as float
  std::string scale;                // float
  std::string start, end;           // of the region, as float
};

// Where each place of the result lies in the input, by the formulas of ONNX Resize-19, in single precision as ONNX Runtime computes them.
std::string append_coordinates(AxisBody& axis, const Request& request, const Sizes& sizes) {
  const std::string line = axis.line("line", "Range (none, {}, step)", sizes.out);
  const std::string x = axis.line("x", "Cast <to = 1> ({})", line);
  const std::string& how = request.coordinates;
  if (how == "asymmetric") return axis.line("place", "Div ({}, {})", x, sizes.scale);
  const std::string is_one = axis.line("is_one", "Equal ({}, step)", sizes.out);
  if (how == "align_corners") {
    const std::string last = axis.line("last", "Sub ({}, one)", sizes.float_in);
    const std::string out_last = axis.line("out_last", "Sub ({}, one)", sizes.float_out);
    const std::string divisor = axis.line("divisor", "Where ({}, one, {})", is_one, out_last);
    const std::string product = axis.line("product", "Mul ({}, {})", x, last);
    return axis.line("place", "Div ({}, {})", product, divisor);
  }
  if (how == "tf_crop_and_resize") {
    const std::string last = axis.line("last", "Sub ({}, one)", sizes.float_in);
    const std::string out_last = axis.line("out_last", "Sub ({}, one)", sizes.float_out);
    const std::string divisor = axis.line("divisor", "Where ({}, one, {})", is_one, out_last);
    const std::string first = axis.line("first", "Mul ({}, {})", sizes.start, last);
    const std::string span = axis.line("span", "Sub ({}, {})", sizes.end, sizes.start);
    const std::string length = axis.line("length", "Mul ({}, {})", span, last);
    const std::string stride = axis.line("stride", "Div ({}, {})", length, divisor);
    const std::string way = axis.line("way", "Mul ({}, {})", x, stride);
    const std::string several = axis.line("several", "Add ({}, {})", first, way);
    const std::string both = axis.line("both", "Add ({}, {})", sizes.start, sizes.end);
    const std::string middle = axis.line("middle", "Mul ({}, half)", both);
    const std::string single = axis.line("single", "Mul ({}, {})", middle, last);
    return axis.line("place", "Where ({}, {}, {})", is_one, single, several);
  }
  const std::string centre = axis.line("centre", "Add ({}, half)", x);
  const std::string scaled = axis.line("scaled", "Div ({}, {})", centre, sizes.scale);
  if (how == "tf_half_pixel_for_nn") return scaled;
  const std::string plain = axis.line("plain", "Sub ({}, half)", scaled);
  if (how == "half_pixel") return plain;
  if (how == "pytorch_half_pixel") return axis.line("place", "Where ({}, nothing, {})", is_one, plain);
  // half_pixel_symmetric: the image stays in the middle where the size that the scale asks for is no whole number.
  const std::string exact = axis.line("exact", "Mul ({}, {})", sizes.scale, sizes.float_in);
  const std::string adjustment = axis.line("adjustment", "Div ({}, {})", sizes.float_out, exact);
  const std::string missing = axis.line("missing", "Sub (one, {})", adjustment);
  const std::string middle = axis.line("middle", "Mul ({}, half)", sizes.float_in);
  const std::string offset = axis.line("offset", "Mul ({}, {})", middle, missing);
  return axis.line("place", "Add ({}, {})", offset, plain);
}

std::string append_nearest(AxisBody& axis, const Request& request, const Sizes& sizes, const std::string& place,
                           int64_t number, const std::string& values) {
  std::string whole;
  if (request.nearest_mode == "floor") {
    whole = axis.line("whole", "Floor ({})", place);
  } else if (request.nearest_mode == "ceil") {
    whole = axis.line("whole", "Ceil ({})", place);
  } else if (request.nearest_mode == "round_prefer_ceil") {
    const std::string moved = axis.line("moved_up", "Add ({}, half)", place);
    whole = axis.line("whole", "Floor ({})", moved);
  } else {
    const std::string moved = axis.line("moved_down", "Sub ({}, half)", place);
    whole = axis.line("whole", "Ceil ({})", moved);
  }
  const std::string greatest = axis.line("greatest", "Sub ({}, one)", sizes.float_in);
  const std::string low = axis.line("not_before", "Max ({}, nothing)", whole);
  const std::string high = axis.line("within", "Min ({}, {})", low, greatest);
  const std::string index = axis.line("index", "Cast <to = 7> ({})", high);
  return axis.line("nearest", "Gather <axis = {}> ({}, {})", number, values, index);
}

// The kernel of the interpolation at distances: 1 - d up to 1, and the cubic one of Keys.
std::string append_kernel(AxisBody& axis, const Request& request, const std::string& distance) {
  if (request.mode == "linear") {
    const std::string rest = axis.line("rest", "Sub (one, {})", distance);
    return axis.line("weight", "Max ({}, nothing)", rest);
  }
  const double a = request.cubic_coeff_a;
  const auto number = [&](const char* name, double value) {
    return axis.line(name, "Constant <value = float {{{}}}> ()", float_text(value));
  };
  // (a+2) d^3 - (a+3) d^2 + 1 below 1, and a d^3 - 5a d^2 + 8a d - 4a below 2.
  const std::string near_cubic = number("near_cubic", a + 2), near_square = number("near_square", a + 3);
  const std::string coefficient = number("coefficient", a), five = number("five", 5), eight = number("eight", 8);
  const std::string four = number("four", 4), two = number("two", 2);
  const std::string square = axis.line("square", "Mul ({0}, {0})", distance);
  const std::string near_1 = axis.line("near_1", "Mul ({}, {})", near_cubic, distance);
  const std::string near_2 = axis.line("near_2", "Sub ({}, {})", near_1, near_square);
  const std::string near_3 = axis.line("near_3", "Mul ({}, {})", near_2, square);
  const std::string near = axis.line("near", "Add ({}, one)", near_3);
  const std::string far_1 = axis.line("far_1", "Sub ({}, {})", distance, five);
  const std::string far_2 = axis.line("far_2", "Mul ({}, {})", far_1, distance);
  const std::string far_3 = axis.line("far_3", "Add ({}, {})", far_2, eight);
  const std::string far_4 = axis.line("far_4", "Mul ({}, {})", far_3, distance);
  const std::string far_5 = axis.line("far_5", "Sub ({}, {})", far_4, four);
  const std::string far = axis.line("far", "Mul ({}, {})", far_5, coefficient);
  const std::string is_near = axis.line("is_near", "Less ({}, one)", distance);
  const std::string is_far = axis.line("is_far", "Less ({}, {})", distance, two);
  const std::string outer = axis.line("outer", "Where ({}, {}, nothing)", is_far, far);
  return axis.line("weight", "Where ({}, {}, {})", is_near, near, outer);
}

// The matrix of weights, (places of the result) x (places of the input): what lies outside counts as the nearest place at the border, or, with exclude_outside, not at all.
std::string append_weights(AxisBody& axis, const Request& request, const Sizes& sizes, std::string place) {
  std::string shrinking;
  if (request.antialias) shrinking = axis.line("shrinking", "Min ({}, one)", sizes.scale);
  const std::string reach_float =
      request.antialias ? axis.line("reach_float", "Div (border, {})", shrinking) : std::string("border");
  const std::string reach_whole = axis.line("reach_whole", "Ceil ({})", reach_float);
  const std::string reach = axis.line("reach", "Cast <to = 7> ({})", reach_whole);
  const std::string first = axis.line("first_place", "Sub (none, {})", reach);
  const std::string stop = axis.line("stop", "Add ({}, {})", sizes.in, reach);
  const std::string line = axis.line("source_line", "Range ({}, {}, step)", first, stop);
  const std::string source = axis.line("source", "Cast <to = 1> ({})", line);
  const std::string greatest = axis.line("greatest", "Sub ({}, one)", sizes.float_in);
  if (request.crops()) {
    // What is outside has another value anyway.
    const std::string low = axis.line("not_before", "Max ({}, nothing)", place);
    place = axis.line("within", "Min ({}, {})", low, greatest);
  }
  const std::string column = axis.line("column", "Reshape ({}, column_shape)", place);
  const std::string difference = axis.line("difference", "Sub ({}, {})", column, source);
  std::string distance = axis.line("distance", "Abs ({})", difference);
  if (request.antialias) distance = axis.line("shrunk_distance", "Mul ({}, {})", distance, shrinking);
  std::string weight = append_kernel(axis, request, distance);
  const std::string low = axis.line("source_not_before", "Max ({}, nothing)", source);
  const std::string inner = axis.line("source_within", "Min ({}, {})", low, greatest);
  if (request.exclude_outside) {
    const std::string is_inside =
        axis.line("is_inside", "Equal ({}, {})", axis.line("inner_number", "Cast <to = 7> ({})", inner), line);
    const std::string share = axis.line("share", "Cast <to = 1> ({})", is_inside);
    weight = axis.line("inside_weight", "Mul ({}, {})", weight, share);
  }
  if (request.exclude_outside || request.antialias) {
    const std::string total = axis.line("total", "ReduceSum <keepdims = 1> ({}, second)", weight);
    weight = axis.line("norm_weight", "Div ({}, {})", weight, total);
  }
  const std::string inner_column = axis.line("inner_column", "Reshape ({}, column_shape)", inner);
  const std::string whole_column = axis.line("whole_column", "Cast <to = 7> ({})", inner_column);
  const std::string input_line = axis.line("input_line", "Range (none, {}, step)", sizes.in);
  const std::string meets = axis.line("meets", "Equal ({}, {})", whole_column, input_line);
  const std::string fold = axis.line("fold", "Cast <to = 1> ({})", meets);
  return axis.line("weights", "MatMul ({}, {})", weight, fold);
}

std::string append_product(AxisBody& axis, const Request& request, int64_t number, const std::string& weights,
                           const std::string& values) {
  if (number == request.rank - 2) return axis.line("resized", "MatMul ({}, {})", weights, values);
  const std::string turned = axis.line("turned", "Transpose <perm = [1, 0]> ({})", weights);
  if (number == request.rank - 1) return axis.line("resized", "MatMul ({}, {})", values, turned);
  std::vector<int64_t> swap;
  for (int64_t other = 0; other < request.rank; ++other) swap.push_back(other);
  std::swap(swap[static_cast<size_t>(number)], swap.back());
  const std::string before = axis.line("before", "Transpose <perm = [{}]> ({})", fmt::join(swap, ", "), values);
  const std::string product = axis.line("product_of_last", "MatMul ({}, {})", before, turned);
  return axis.line("resized", "Transpose <perm = [{}]> ({})", fmt::join(swap, ", "), product);
}

Lowering by_axis(const CallSite& site, const Request& request) {
  const bool nearest = request.mode == "nearest";
  const int type = site.need_dtype(kX);
  const bool is_float = type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::FLOAT16;
  if (!nearest && !is_float && type != onnx::TensorProto::DOUBLE)
    return Declined{fmt::format("interpolation of integers is rounded differently by every runtime, and mode is \"{}\"",
                                request.mode)};
  if (!nearest && request.mode != "linear" && request.mode != "cubic")
    return Declined{fmt::format("it does not know the mode \"{}\"", request.mode)};
  if (request.crops() && !site.has_input(kRoi)) return Declined{"it crops, and has no roi"};
  BodyText body("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 15);
  for (const auto& [name, value] : {std::pair{"nothing", 0.0}, std::pair{"half", 0.5}, std::pair{"one", 1.0},
                                    std::pair{"border", request.mode == "cubic" ? 3.0 : 2.0}})
    body.line("{} = Constant <value = float {{{}}}> ()", name, float_text(value));
  body.line("none = Constant <value = int64 {{0}}> ()");
  body.line("step = Constant <value = int64 {{1}}> ()");
  body.line("second = Constant <value = int64[1] {{1}}> ()");
  body.line("column_shape = Constant <value = int64[2] {{-1, 1}}> ()");
  std::string values = "X";
  if (!nearest && type != onnx::TensorProto::FLOAT) {
    body.line("float_X = Cast <to = 1> (X)");
    values = "float_X";
  }
  body.line("shape = Shape (X)");
  if (request.crops()) body.line("float_roi = Cast <to = 1> (roi)");
  if (request.by_sizes) {
    body.line("asked_sizes = Cast <to = 1> (sizes)");
    if (request.policy != "stretch") {
      // The one scale for which no axis is larger, or none smaller, than was asked for.
      const std::string places = body.ints(request.axes, "places");
      body.line("axes_shape = Gather <axis = 0> (shape, {})", places);
      body.line("axes_sizes = Cast <to = 1> (axes_shape)");
      body.line("ratios = Div (asked_sizes, axes_sizes)");
      body.line("common_scale = {} <axes: ints = [0], keepdims = 0> (ratios)",
                request.policy == "not_larger" ? "ReduceMin" : "ReduceMax");
    }
  }
  std::string outside;
  for (const int64_t number : request.resized) {
    AxisBody axis(body, number);
    const auto which = std::ranges::find(request.axes, number) - request.axes.begin();
    const std::string place_in_shape = body.scalar(number, "axis"), place_in_list = body.scalar(which, "which");
    Sizes sizes;
    sizes.in = axis.line("in", "Gather <axis = 0> (shape, {})", place_in_shape);
    sizes.float_in = axis.line("float_in", "Cast <to = 1> ({})", sizes.in);
    if (!request.by_sizes) {
      sizes.scale = axis.line("scale", "Gather <axis = 0> (scales, {})", place_in_list);
      const std::string exact = axis.line("exact_out", "Mul ({}, {})", sizes.float_in, sizes.scale);
      const std::string whole = axis.line("whole_out", "Floor ({})", exact);
      sizes.out = axis.line("out", "Cast <to = 7> ({})", whole);
      sizes.float_out = whole;
    } else if (request.policy == "stretch") {
      sizes.out = axis.line("out", "Gather <axis = 0> (sizes, {})", place_in_list);
      sizes.float_out = axis.line("float_out", "Cast <to = 1> ({})", sizes.out);
      sizes.scale = axis.line("scale", "Div ({}, {})", sizes.float_out, sizes.float_in);
    } else {
      sizes.scale = "common_scale";
      const std::string exact = axis.line("exact_out", "Mul ({}, common_scale)", sizes.float_in);
      const std::string moved = axis.line("moved_out", "Add ({}, half)", exact);
      sizes.float_out = axis.line("float_out", "Floor ({})", moved);
      sizes.out = axis.line("out", "Cast <to = 7> ({})", sizes.float_out);
    }
    if (request.crops()) {
      const std::string end = body.scalar(which + static_cast<int64_t>(request.axes.size()), "end");
      sizes.start = axis.line("start", "Gather <axis = 0> (float_roi, {})", place_in_list);
      sizes.end = axis.line("end", "Gather <axis = 0> (float_roi, {})", end);
    }
    const std::string place = append_coordinates(axis, request, sizes);
    if (request.crops()) {
      const std::string greatest = axis.line("last_place", "Sub ({}, one)", sizes.float_in);
      const std::string before = axis.line("is_before", "Less ({}, nothing)", place);
      const std::string behind = axis.line("is_behind", "Greater ({}, {})", place, greatest);
      std::string is_outside = axis.line("is_outside", "Or ({}, {})", before, behind);
      if (number != request.rank - 1) {
        std::vector<int64_t> dims(static_cast<size_t>(request.rank - number), 1);
        dims.front() = -1;
        is_outside = body.reshape(is_outside, dims, "outside");
      }
      const std::string both = axis.line("outside", "{} ({}{}{})", outside.empty() ? "Identity" : "Or", is_outside,
                                         outside.empty() ? "" : ", ", outside);
      outside = both;
    }
    values = nearest ? append_nearest(axis, request, sizes, place, number, values)
                     : append_product(axis, request, number, append_weights(axis, request, sizes, place), values);
  }
  if (!outside.empty()) {
    const std::string value = body.float_scalar(request.extrapolation_value, "extrapolation");
    body.line("typed_value = CastLike ({}, {})", value, values);
    body.line("with_outside = Where ({}, typed_value, {})", outside, values);
    values = "with_outside";
  }
  if (!nearest && type != onnx::TensorProto::FLOAT) {
    body.line("Y = Cast <to = {}> ({})", type, values);
  } else {
    body.line("Y = Identity ({})", values);
  }
  return body.function();
}

// Resize-10, nearest: where the image becomes smaller it takes the element behind, where it becomes larger the one before, as ONNX's tests of that version and ONNX Runtime have it.
Lowering from_opset_10(const CallSite& site) {
  if (site.opset() < 11) return Declined{"it has no centres and no region, and is of this opset"};
  BodyText body("ai.onnx", "Resize", {"X", "scales"}, {"Y"}, 13);
  const auto line = [&](const char* to, const char* from, const char* scales, const char* nearest) {
    body.line(
        "{} = Resize <coordinate_transformation_mode = \"asymmetric\", mode = \"nearest\", nearest_mode = \"{}\"> ({}, "
        ", {})",
        to, nearest, from, scales);
  };
  const auto scales = site.constant_floats(1);
  if (scales && std::ranges::all_of(*scales, [](double scale) { return scale >= 1; })) {
    line("Y", "X", "scales", "floor");
  } else if (scales && std::ranges::all_of(*scales, [](double scale) { return scale <= 1; })) {
    line("Y", "X", "scales", "ceil");
  } else {
    const std::string same = body.float_scalar(1, "same");
    body.line("smaller_scales = Min (scales, {})", same);
    body.line("larger_scales = Max (scales, {})", same);
    line("smaller", "X", "smaller_scales", "ceil");
    line("Y", "smaller", "larger_scales", "floor");
  }
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.input_count() == 2) return from_opset_10(site);
  const Request request = read(site);
  const bool is_plain = !request.antialias && request.policy == "stretch" &&
                        request.coordinates != "half_pixel_symmetric" && request.coordinates != "tf_half_pixel_for_nn";
  if (site.opset() >= 11 && is_plain) {
    return site.attribute("axes") != nullptr ? without_axes(site, request) : without_newer_attributes(site);
  }
  return by_axis(site, request);
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Resize",
                      .summary = "Axes, policies, antialiasing and coordinates that the opset's Resize does not have.",
                      .source = "ONNX Resize-10, Resize-19",
                      .attributes =
                          "antialias, axes, coordinate_transformation_mode, cubic_coeff_a, exclude_outside, "
                          "extrapolation_value, keep_aspect_ratio_policy, mode, nearest_mode",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

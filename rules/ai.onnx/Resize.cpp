// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Resize where the model's opset or the runtime does not have what the node asks for.
//
// Scales and sizes of some axes become those of all. If that does not suffice (for antialiasing,
// for a policy, for coordinates that the opset does not have, for an opset without such a Resize,
// or for a runtime that does not take it), each axis is resized by itself: with mode nearest by
// gathering, else by a matrix whose row for each place of the result holds the weights of the
// input's places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "families/resampling.h"
#include "for_runtimes/declared_shape.h"

namespace onnx_lower::native_rules::ai_onnx_Resize {
namespace {

constexpr int kX = 0, kRoi = 1, kScales = 2, kSizes = 3;

struct Request {
  std::string mode, coordinates, nearest_mode, policy;
  bool antialias = false, exclude_outside = false;
  float cubic_coeff_a = -0.75F, extrapolation_value = 0;
  int rank = 0;
  bool by_sizes = false;
  std::vector<int64_t> axes;     // those that scales and sizes are for
  std::vector<int64_t> resized;  // those of them that may change
  // The result's dimensions, as the model declares them: then those of the input are known.
  std::optional<Ints> result;

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
  for (const int64_t axis : site.attribute_ints("axes", {})) request.axes.push_back(need_axis(axis, request.rank));
  if (request.axes.empty()) request.axes = numbers_below(request.rank);
  const auto scales = request.by_sizes ? std::nullopt : site.constant_floats(kScales);
  const auto sizes = request.by_sizes ? site.constant_ints(kSizes) : std::nullopt;
  for (size_t i = 0; i < request.axes.size(); ++i) {
    const bool by_one = scales && i < scales->size() && (*scales)[i] == 1;
    const bool to_same = sizes && i < sizes->size() && request.policy == "stretch" &&
                         site.dim(kX, static_cast<int>(request.axes[i])) == (*sizes)[i];
    // Where the size stays, the region may still be a part of the image.
    if (request.crops() || (!by_one && !to_same)) request.resized.push_back(request.axes[i]);
  }
  return request;
}

// The numbers of some dimensions as those of all: the others have the number `rest`.
void append_spread(Body& body, const std::vector<int64_t>& places, std::string_view name, std::string_view rest,
                   std::string_view given) {
  const std::string list = body.ints(places, "places");
  body(name, "ScatterElements", {rest, list, given}, {{"axis", 0}});
}

const std::initializer_list<std::string_view> resize_attributes = {"coordinate_transformation_mode",
                                                                   "cubic_coeff_a",
                                                                   "exclude_outside",
                                                                   "extrapolation_value",
                                                                   "mode",
                                                                   "nearest_mode"};

Lowering without_axes(const CallSite& site, const Request& request) {
  Body body("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 13);
  const std::string rank = body.ints({request.rank}, "rank");
  std::string roi;
  if (request.crops() && site.has_input(kRoi)) {
    std::vector<int64_t> places = request.axes;
    for (const int64_t axis : request.axes) places.push_back(axis + request.rank);
    body("no_start", "ConstantOfShape", {rank}, {{"value", one_float(0)}});
    body("whole_end", "ConstantOfShape", {rank}, {{"value", one_float(1)}});
    body("whole", "Concat", {"no_start", "whole_end"}, {{"axis", 0}});
    body("float_roi", "Cast", {"roi"}, {{"to", 1}});
    append_spread(body, places, "spread_roi", "whole", "float_roi");
    roi = "spread_roi";
  }
  Values inputs;
  if (request.by_sizes) {
    body("shape", "Shape", {"X"});
    append_spread(body, request.axes, "all_sizes", "shape", "sizes");
    inputs = {"X", roi, "", "all_sizes"};
  } else {
    body("same", "ConstantOfShape", {rank}, {{"value", one_float(1)}});
    append_spread(body, request.axes, "all_scales", "same", "scales");
    inputs = {"X", roi, "all_scales"};
  }
  body("Y", "Resize", inputs);
  body.copy_attributes(site, resize_attributes, "Resize");
  return body.function();
}

// The same node without the attributes of opset 18, which have their defaults.
Lowering without_newer_attributes(const CallSite& site) {
  Body body("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 13);
  body("Y", "Resize",
       {"X", site.has_input(kRoi) ? "roi" : "", site.has_input(kScales) ? "scales" : "",
        site.has_input(kSizes) ? "sizes" : ""});
  body.copy_attributes(site, resize_attributes, "Resize");
  return body.function();
}

std::vector<double> transposed(const std::vector<double>& matrix, size_t columns) {
  std::vector<double> result;
  result.reserve(matrix.size());
  for (size_t column = 0; column < columns; ++column) {
    for (size_t i = column; i < matrix.size(); i += columns) result.push_back(matrix[i]);
  }
  return result;
}

// Adds nodes for one axis: their names begin with the axis, so that each axis has its own.
class AxisBody {
 public:
  AxisBody(Body& body, int64_t axis) : body_(body), prefix_(fmt::format("a{}_", axis)) {}

  std::string operator()(std::string_view name, std::string_view op_type, const Values& inputs,
                         std::initializer_list<BodyAttribute> attributes = {}) {
    return body_(prefix_ + std::string(name), op_type, inputs, attributes);
  }
  std::string ints(std::string_view name, const Ints& values) {
    return body_.constant(prefix_ + std::string(name), values);
  }
  std::string number(std::string_view name, double value) { return body_.constant(prefix_ + std::string(name), value); }
  // The weights of places of the result (rows) and of the input (columns), or transposed.
  std::string matrix(std::string_view name, const AxisResampling& axis, bool has_rows_of_result) {
    std::vector<double> weights = axis.weights();
    if (!has_rows_of_result) weights = transposed(weights, static_cast<size_t>(axis.in));
    const Ints dims = has_rows_of_result ? Ints{axis.out, axis.in} : Ints{axis.in, axis.out};
    return body_.constant(prefix_ + std::string(name), tensor_of(onnx::TensorProto::FLOAT, dims, weights));
  }

 private:
  Body& body_;
  std::string prefix_;
};

struct Sizes {
  std::optional<int64_t> known_in, known_out;
  std::string in, out;              // int64, of rank 0
  std::string float_in, float_out;  // the same as float
  std::string scale;                // float
  std::string start, end;           // of the region, as float
};

// Where each place of the result lies in the input, by the formulas of ONNX Resize-19, in single
// precision as ONNX Runtime computes them.
std::string append_coordinates(AxisBody& axis, const Request& request, const Sizes& sizes) {
  const std::string line = sizes.known_out ? axis.ints("line", numbers_below(*sizes.known_out))
                                           : axis("line", "Range", {"none", sizes.out, "step"});
  const std::string x = axis("x", "Cast", {line}, {{"to", 1}});
  const std::string& how = request.coordinates;
  if (how == "asymmetric") return axis("place", "Div", {x, sizes.scale});
  const std::string is_one = axis("is_one", "Equal", {sizes.out, "step"});
  if (how == "align_corners") {
    const std::string last = axis("last", "Sub", {sizes.float_in, "one"});
    const std::string out_last = axis("out_last", "Sub", {sizes.float_out, "one"});
    const std::string divisor = axis("divisor", "Where", {is_one, "one", out_last});
    const std::string product = axis("product", "Mul", {x, last});
    return axis("place", "Div", {product, divisor});
  }
  if (how == "tf_crop_and_resize") {
    const std::string last = axis("last", "Sub", {sizes.float_in, "one"});
    const std::string out_last = axis("out_last", "Sub", {sizes.float_out, "one"});
    const std::string divisor = axis("divisor", "Where", {is_one, "one", out_last});
    const std::string first = axis("first", "Mul", {sizes.start, last});
    const std::string span = axis("span", "Sub", {sizes.end, sizes.start});
    const std::string length = axis("length", "Mul", {span, last});
    const std::string stride = axis("stride", "Div", {length, divisor});
    const std::string way = axis("way", "Mul", {x, stride});
    const std::string several = axis("several", "Add", {first, way});
    const std::string both = axis("both", "Add", {sizes.start, sizes.end});
    const std::string middle = axis("middle", "Mul", {both, "half"});
    const std::string single = axis("single", "Mul", {middle, last});
    return axis("place", "Where", {is_one, single, several});
  }
  const std::string centre = axis("centre", "Add", {x, "half"});
  const std::string scaled = axis("scaled", "Div", {centre, sizes.scale});
  // By the other formulas an axis of scale 1 stays as it is; for this one ONNX Runtime makes
  // it stay.
  if (how == "tf_half_pixel_for_nn")
    return axis("place", "Where", {axis("is_unscaled", "Equal", {sizes.scale, "one"}), x, scaled});
  const std::string plain = axis("plain", "Sub", {scaled, "half"});
  if (how == "half_pixel") return plain;
  if (how == "pytorch_half_pixel") return axis("place", "Where", {is_one, "nothing", plain});
  // half_pixel_symmetric: where the scale asks for a size that is no whole number, the image stays
  // in the middle.
  const std::string exact = axis("exact", "Mul", {sizes.scale, sizes.float_in});
  const std::string adjustment = axis("adjustment", "Div", {sizes.float_out, exact});
  const std::string missing = axis("missing", "Sub", {"one", adjustment});
  const std::string middle = axis("middle", "Mul", {sizes.float_in, "half"});
  const std::string offset = axis("offset", "Mul", {middle, missing});
  return axis("place", "Add", {offset, plain});
}

std::string append_nearest(AxisBody& axis, const Request& request, const Sizes& sizes, const std::string& place,
                           int64_t number, const std::string& values) {
  std::string whole;
  if (request.nearest_mode == "floor") {
    whole = axis("whole", "Floor", {place});
  } else if (request.nearest_mode == "ceil") {
    whole = axis("whole", "Ceil", {place});
  } else if (request.nearest_mode == "round_prefer_ceil") {
    const std::string moved = axis("moved_up", "Add", {place, "half"});
    whole = axis("whole", "Floor", {moved});
  } else {
    const std::string moved = axis("moved_down", "Sub", {place, "half"});
    whole = axis("whole", "Ceil", {moved});
  }
  const std::string greatest = axis("greatest", "Sub", {sizes.float_in, "one"});
  const std::string low = axis("not_before", "Max", {whole, "nothing"});
  const std::string high = axis("within", "Min", {low, greatest});
  const std::string index = axis("index", "Cast", {high}, {{"to", 7}});
  return axis("nearest", "Gather", {values, index}, {{"axis", number}});
}

// The weights at the distances d: max(0, 1 - d) if linear, else by the cubic kernel of Keys.
std::string append_kernel(AxisBody& axis, const Request& request, const std::string& distance) {
  if (request.mode == "linear") {
    const std::string rest = axis("rest", "Sub", {"one", distance});
    return axis("weight", "Max", {rest, "nothing"});
  }
  const double a = request.cubic_coeff_a;
  const auto number = [&](const char* name, double value) { return axis.number(name, value); };
  // (a+2) d^3 - (a+3) d^2 + 1 below 1, and a d^3 - 5a d^2 + 8a d - 4a below 2.
  const std::string near_cubic = number("near_cubic", a + 2), near_square = number("near_square", a + 3);
  const std::string coefficient = number("coefficient", a), five = number("five", 5), eight = number("eight", 8);
  const std::string four = number("four", 4), two = number("two", 2);
  const std::string square = axis("square", "Mul", {distance, distance});
  const std::string near_1 = axis("near_1", "Mul", {near_cubic, distance});
  const std::string near_2 = axis("near_2", "Sub", {near_1, near_square});
  const std::string near_3 = axis("near_3", "Mul", {near_2, square});
  const std::string near = axis("near", "Add", {near_3, "one"});
  const std::string far_1 = axis("far_1", "Sub", {distance, five});
  const std::string far_2 = axis("far_2", "Mul", {far_1, distance});
  const std::string far_3 = axis("far_3", "Add", {far_2, eight});
  const std::string far_4 = axis("far_4", "Mul", {far_3, distance});
  const std::string far_5 = axis("far_5", "Sub", {far_4, four});
  const std::string far = axis("far", "Mul", {far_5, coefficient});
  const std::string is_near = axis("is_near", "Less", {distance, "one"});
  const std::string is_far = axis("is_far", "Less", {distance, two});
  const std::string outer = axis("outer", "Where", {is_far, far, "nothing"});
  return axis("weight", "Where", {is_near, near, outer});
}

// Whether the matrix is multiplied from the left; else it is the transposed one, from the right.
bool is_left_factor(const Request& request, int64_t number) { return number == request.rank - 2; }

// The matrix of weights, (places of the result) x (places of the input): what lies outside counts
// as the nearest place at the border, or, with exclude_outside, not at all.
std::string append_weights(AxisBody& axis, const Request& request, const Sizes& sizes, int64_t number,
                           std::string place) {
  std::string shrinking;
  if (request.antialias) shrinking = axis("shrinking", "Min", {sizes.scale, "one"});
  // The places of the input, and on both sides as many more as the kernel reaches.
  std::string line;
  std::optional<Ints> input_numbers;
  if (sizes.known_in) input_numbers = numbers_below(*sizes.known_in);
  if (input_numbers && sizes.known_out) {
    // The smallest scale by which the result can have its size is taken: places that are too far
    // for the real one have no weight.
    const double shrunk = request.antialias
                              ? std::max(1.0, static_cast<double>(*sizes.known_in) /
                                                  static_cast<double>(std::max<int64_t>(*sizes.known_out, 1)))
                              : 1.0;
    const auto reach = static_cast<int64_t>(std::ceil((request.mode == "cubic" ? 3 : 2) * shrunk));
    Ints places = numbers_below(*sizes.known_in + 2 * reach);
    for (int64_t& number : places) number -= reach;
    line = axis.ints("source_line", places);
  } else {
    const std::string reach_float =
        request.antialias ? axis("reach_float", "Div", {"border", shrinking}) : std::string("border");
    const std::string reach_whole = axis("reach_whole", "Ceil", {reach_float});
    const std::string reach = axis("reach", "Cast", {reach_whole}, {{"to", 7}});
    const std::string first = axis("first_place", "Sub", {"none", reach});
    const std::string stop = axis("stop", "Add", {sizes.in, reach});
    line = axis("source_line", "Range", {first, stop, "step"});
  }
  const std::string source = axis("source", "Cast", {line}, {{"to", 1}});
  const std::string greatest = axis("greatest", "Sub", {sizes.float_in, "one"});
  if (request.crops()) {
    // Places outside get extrapolation_value afterwards.
    const std::string low = axis("not_before", "Max", {place, "nothing"});
    place = axis("within", "Min", {low, greatest});
  }
  const std::string column = axis("column", "Reshape", {place, "column_shape"});
  const std::string difference = axis("difference", "Sub", {column, source});
  std::string distance = axis("distance", "Abs", {difference});
  if (request.antialias) distance = axis("shrunk_distance", "Mul", {distance, shrinking});
  std::string weight = append_kernel(axis, request, distance);
  const std::string low = axis("source_not_before", "Max", {source, "nothing"});
  const std::string inner = axis("source_within", "Min", {low, greatest});
  if (request.exclude_outside) {
    const std::string is_inside =
        axis("is_inside", "Equal", {axis("inner_number", "Cast", {inner}, {{"to", 7}}), line});
    const std::string share = axis("share", "Cast", {is_inside}, {{"to", 1}});
    weight = axis("inside_weight", "Mul", {weight, share});
  }
  if (request.exclude_outside || request.antialias) {
    const std::string total = axis("total", "ReduceSum", {weight, "second"}, {{"keepdims", 1}});
    weight = axis("norm_weight", "Div", {weight, total});
  }
  const std::string inner_column = axis("inner_column", "Reshape", {inner, "column_shape"});
  const std::string whole_column = axis("whole_column", "Cast", {inner_column}, {{"to", 7}});
  const std::string input_line =
      input_numbers ? axis.ints("input_line", *input_numbers) : axis("input_line", "Range", {"none", sizes.in, "step"});
  const std::string meets = axis("meets", "Equal", {whole_column, input_line});
  const std::string fold = axis("fold", "Cast", {meets}, {{"to", 1}});
  const std::string weights = axis("weights", "MatMul", {weight, fold});
  return is_left_factor(request, number) ? weights : axis("turned", "Transpose", {weights}, {{"perm", Ints{1, 0}}});
}

std::string append_product(AxisBody& axis, const Request& request, int64_t number, const std::string& weights,
                           const std::string& values) {
  if (is_left_factor(request, number)) return axis("resized", "MatMul", {weights, values});
  if (number == request.rank - 1) return axis("resized", "MatMul", {values, weights});
  Ints swap = numbers_below(request.rank);
  std::swap(swap[static_cast<size_t>(number)], swap.back());
  const std::string before = axis("before", "Transpose", {values}, {{"perm", swap}});
  const std::string product = axis("product_of_last", "MatMul", {before, weights});
  return axis("resized", "Transpose", {product}, {{"perm", swap}});
}

// Resizes one axis after the other, in the order of resized_in_order(): y = W x along each, where
// the row of W for a place of the result holds the weights of the input's places.
class ByAxis {
 public:
  ByAxis(const CallSite& site, const Request& request)
      : site_(site),
        request_(request),
        is_nearest_(request.mode == "nearest"),
        type_(site.need_dtype(kX)),
        is_widened_(!is_nearest_ && type_ != onnx::TensorProto::FLOAT),
        body_("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 15) {
    const bool is_float = type_ == onnx::TensorProto::FLOAT || type_ == onnx::TensorProto::FLOAT16;
    if (!is_nearest_ && !is_float && type_ != onnx::TensorProto::DOUBLE)
      decline(fmt::format("interpolation of integers is rounded differently by every runtime, and mode is \"{}\"",
                          request.mode));
    if (!is_nearest_ && request.mode != "linear" && request.mode != "cubic")
      decline(fmt::format("it does not know the mode \"{}\"", request.mode));
    if (request.crops() && !site.has_input(kRoi)) decline("it crops, and has no roi");
  }

  Lowering lowering() {
    if (const auto known = known_axes()) return by_constants(*known);
    append_numbers();
    std::string values = is_widened_ ? body_("float_X", "Cast", {"X"}, {{"to", 1}}) : "X";
    body_("shape", "Shape", {"X"});
    if (request_.crops()) body_("float_roi", "Cast", {"roi"}, {{"to", 1}});
    if (request_.by_sizes) append_asked_sizes();
    for (const int64_t number : resized_in_order()) {
      AxisBody axis(body_, number);
      const Sizes sizes = sizes_of(axis, number);
      const std::string place = append_coordinates(axis, request_, sizes);
      if (request_.crops()) note_outside(axis, number, sizes, place);
      values = is_nearest_ ? append_nearest(axis, request_, sizes, place, number, values)
                           : append_product(axis, request_, number,
                                            append_weights(axis, request_, sizes, number, place), values);
    }
    if (!outside_.empty()) values = with_value_outside(values);
    append_result(values);
    return request_.result ? as_declared(body_, *request_.result) : body_.function();
  }

 private:
  // What is done along each of the axes in resized_in_order(), if that is known of all of them.
  std::optional<std::vector<AxisResampling>> known_axes() const {
    if (site_.opset() >= 11 || request_.crops() || request_.policy != "stretch" || request_.result) return std::nullopt;
    const auto scales = request_.by_sizes ? std::nullopt : site_.constant_floats(kScales);
    const auto asked = request_.by_sizes ? site_.constant_ints(kSizes) : std::nullopt;
    std::vector<AxisResampling> known;
    for (const int64_t number : resized_in_order()) {
      const auto which = static_cast<size_t>(std::ranges::find(request_.axes, number) - request_.axes.begin());
      const std::optional<int64_t> in = site_.dim(kX, static_cast<int>(number));
      const bool is_known = (scales && which < scales->size()) || (asked && which < asked->size());
      if (!in || *in == 0 || !is_known) return std::nullopt;
      AxisResampling axis{.mode = request_.mode,
                          .coordinates = request_.coordinates,
                          .nearest_mode = request_.nearest_mode,
                          .antialias = request_.antialias,
                          .exclude_outside = request_.exclude_outside,
                          .cubic_coeff_a = request_.cubic_coeff_a,
                          .in = *in};
      const auto size = static_cast<float>(*in);
      axis.scale = scales ? static_cast<float>((*scales)[which]) : static_cast<float>((*asked)[which]) / size;
      const double out = scales ? std::floor(size * axis.scale) : static_cast<double>((*asked)[which]);
      // Larger matrices are computed when the model runs.
      constexpr double most_weights = 1e6;
      if (!(axis.scale > 0) || !(out > 0) || out * size > most_weights) return std::nullopt;
      axis.out = static_cast<int64_t>(out);
      known.push_back(axis);
    }
    return known;
  }

  Lowering by_constants(const std::vector<AxisResampling>& known) {
    std::string values = is_widened_ ? body_("float_X", "Cast", {"X"}, {{"to", 1}}) : "X";
    const Ints numbers = resized_in_order();
    for (size_t i = 0; i < known.size(); ++i) {
      AxisBody axis(body_, numbers[i]);
      if (is_nearest_) {
        values = axis("nearest", "Gather", {values, axis.ints("index", known[i].nearest())}, {{"axis", numbers[i]}});
      } else {
        const std::string weights = axis.matrix("weights", known[i], is_left_factor(request_, numbers[i]));
        values = append_product(axis, request_, numbers[i], weights, values);
      }
    }
    append_result(values);
    return body_.function();
  }

  void append_result(const std::string& values) {
    if (is_widened_) {
      body_("Y", "Cast", {values}, {{"to", type_}});
    } else {
      body_("Y", "Identity", {values});
    }
  }

  void append_numbers() {
    for (const auto& [name, value] : {std::pair{"nothing", 0.0}, std::pair{"half", 0.5}, std::pair{"one", 1.0},
                                      std::pair{"border", request_.mode == "cubic" ? 3.0 : 2.0}})
      body_.constant(name, value);
    body_.constant("none", 0);
    body_.constant("step", 1);
    body_.constant("second", Ints{1});
    body_.constant("column_shape", Ints{-1, 1});
  }

  // Makes `asked_sizes` and, for a policy, the one scale for which no axis is larger, or none
  // smaller, than was asked for.
  void append_asked_sizes() {
    body_("asked_sizes", "Cast", {"sizes"}, {{"to", 1}});
    if (request_.policy == "stretch") return;
    const std::string places = body_.ints(request_.axes, "places");
    body_("axes_shape", "Gather", {"shape", places}, {{"axis", 0}});
    body_("axes_sizes", "Cast", {"axes_shape"}, {{"to", 1}});
    body_("ratios", "Div", {"asked_sizes", "axes_sizes"});
    body_("common_scale", request_.policy == "not_larger" ? "ReduceMin" : "ReduceMax", {"ratios"},
          {{"axes", Ints{0}}, {"keepdims", 0}});
  }

  // The last axis comes first: it is resized by a product with one matrix, which is faster than a
  // product with a matrix for each channel, and these have fewer columns afterwards.
  Ints resized_in_order() const {
    Ints in_order = request_.resized;
    if (!is_nearest_) std::ranges::sort(in_order, std::greater<>());
    return in_order;
  }

  Sizes sizes_of(AxisBody& axis, int64_t number) {
    const auto which = std::ranges::find(request_.axes, number) - request_.axes.begin();
    const std::string place_in_shape = body_.scalar(number, "axis"), place_in_list = body_.scalar(which, "which");
    Sizes sizes;
    if (request_.result) {
      sizes.known_in = site_.need_dim(kX, static_cast<int>(number));
      sizes.known_out = (*request_.result)[static_cast<size_t>(number)];
      sizes.in = body_.scalar(*sizes.known_in, "in");
    } else {
      sizes.in = axis("in", "Gather", {"shape", place_in_shape}, {{"axis", 0}});
    }
    sizes.float_in = axis("float_in", "Cast", {sizes.in}, {{"to", 1}});
    scale(axis, sizes, place_in_list);
    if (request_.crops()) {
      const std::string end = body_.scalar(which + static_cast<int64_t>(request_.axes.size()), "end");
      sizes.start = axis("start", "Gather", {"float_roi", place_in_list}, {{"axis", 0}});
      sizes.end = axis("end", "Gather", {"float_roi", end}, {{"axis", 0}});
    }
    return sizes;
  }

  // Finds the scale, and the size of the result.
  void scale(AxisBody& axis, Sizes& sizes, const std::string& place_in_list) const {
    if (!request_.by_sizes) {
      sizes.scale = axis("scale", "Gather", {"scales", place_in_list}, {{"axis", 0}});
      const std::string exact = axis("exact_out", "Mul", {sizes.float_in, sizes.scale});
      sizes.float_out = axis("whole_out", "Floor", {exact});
      sizes.out = axis("out", "Cast", {sizes.float_out}, {{"to", 7}});
    } else if (request_.policy == "stretch") {
      sizes.out = axis("out", "Gather", {"sizes", place_in_list}, {{"axis", 0}});
      sizes.float_out = axis("float_out", "Cast", {sizes.out}, {{"to", 1}});
      sizes.scale = axis("scale", "Div", {sizes.float_out, sizes.float_in});
    } else {
      sizes.scale = "common_scale";
      const std::string exact = axis("exact_out", "Mul", {sizes.float_in, "common_scale"});
      const std::string moved = axis("moved_out", "Add", {exact, "half"});
      sizes.float_out = axis("float_out", "Floor", {moved});
      sizes.out = axis("out", "Cast", {sizes.float_out}, {{"to", 7}});
    }
  }

  // Makes `outside_` true also where the place along this axis is outside the image.
  void note_outside(AxisBody& axis, int64_t number, const Sizes& sizes, const std::string& place) {
    const std::string greatest = axis("last_place", "Sub", {sizes.float_in, "one"});
    const std::string before = axis("is_before", "Less", {place, "nothing"});
    const std::string behind = axis("is_behind", "Greater", {place, greatest});
    std::string is_outside = axis("is_outside", "Or", {before, behind});
    if (number != request_.rank - 1) {
      Ints dims(static_cast<size_t>(request_.rank - number), 1);
      dims.front() = -1;
      is_outside = body_.reshape(is_outside, dims, "outside");
    }
    outside_ = axis("outside", outside_.empty() ? "Identity" : "Or",
                    outside_.empty() ? Values{is_outside} : Values{is_outside, outside_});
  }

  std::string with_value_outside(const std::string& values) {
    const std::string value = body_.float_scalar(request_.extrapolation_value, "extrapolation");
    body_("typed_value", "CastLike", {value, values});
    return body_("with_outside", "Where", {outside_, "typed_value", values});
  }

  const CallSite& site_;
  const Request& request_;
  const bool is_nearest_;
  const int type_;
  const bool is_widened_;
  Body body_;
  // A boolean for each place of the result, whether it lies outside the image, in a shape that
  // broadcasts to the result's; empty where no place does.
  std::string outside_;
};

bool has_no_elements(const CallSite& site, int rank) {
  for (int axis = 0; axis < rank; ++axis)
    if (site.dim(kX, axis) == 0) return true;
  return false;
}

Lowering by_axis(const CallSite& site, const Request& request) {
  if (request.mode == "nearest" || !has_no_elements(site, request.rank)) return ByAxis(site, request).lowering();
  // All modes give as many of nothing. They are gathered, since ONNX Runtime multiplies no matrix
  // by an empty stack of matrices.
  Request of_nothing = request;
  of_nothing.mode = "nearest";
  of_nothing.antialias = false;
  return ByAxis(site, of_nothing).lowering();
}

// Resize-10 in mode nearest takes the pixel behind where the image becomes smaller, and the one
// before where it becomes larger, as ONNX's tests of that version and ONNX Runtime have it. Above
// opset 10 mode linear has a rule in text.
Lowering from_opset_10(const CallSite& site) {
  const auto scales = site.constant_floats(1);
  const bool grows = scales && std::ranges::all_of(*scales, [](double scale) { return scale >= 1; });
  if (site.opset() == 10) return Declined{"it has no centres and no region, and is of this opset"};
  if (site.opset() > 10 && site.attribute_string("mode", "nearest") != "nearest")
    return Declined{.reason = "it takes more than the nearest element", .is_of_signature = true};
  Body body("ai.onnx", "Resize", {"X", "scales"}, {"Y"}, 13);
  if (site.attribute_string("mode", "nearest") != "nearest") {
    body("Y", "Resize", {"X", "", "scales"},
         {{"coordinate_transformation_mode", "asymmetric"}, {"mode", site.attribute_string("mode", "nearest")}});
    return body.function();
  }
  const auto nearest = [&](std::string_view output, std::string_view input, std::string_view scales,
                           std::string_view nearest_mode) {
    body(output, "Resize", {input, "", scales},
         {{"coordinate_transformation_mode", "asymmetric"}, {"mode", "nearest"}, {"nearest_mode", nearest_mode}});
  };
  if (grows) {
    nearest("Y", "X", "scales", "floor");
  } else if (scales && std::ranges::all_of(*scales, [](double scale) { return scale <= 1; })) {
    nearest("Y", "X", "scales", "ceil");
  } else {
    const std::string same = body.float_scalar(1, "same");
    body("smaller_scales", "Min", {"scales", same});
    body("larger_scales", "Max", {"scales", same});
    nearest("smaller", "X", "smaller_scales", "ceil");
    nearest("Y", "smaller", "larger_scales", "floor");
  }
  return body.function();
}

Lowering lower(const CallSite& site) {
  if (site.input_count() == 2) return from_opset_10(site);
  const Request request = read(site);
  const bool is_plain = !request.antialias && request.policy == "stretch" &&
                        request.coordinates != "half_pixel_symmetric" && request.coordinates != "tf_half_pixel_for_nn";
  if (site.opset() >= 11 && is_plain) {
    if (site.attribute("axes") != nullptr) return without_axes(site, request);
    if (site.attribute("antialias") != nullptr || site.attribute("keep_aspect_ratio_policy") != nullptr)
      return without_newer_attributes(site);
    // Whether a point on the border counts as outside is a matter of the last bit, in which
    // runtimes differ.
    if (request.crops()) return Declined{"it crops, has no axes, and is of this opset"};
  }
  return by_axis(site, request);
}

Lowering lower_as_declared(const CallSite& site) {
  if (site.input_count() == 2) return Declined{.reason = "it is one of opset 10", .is_of_signature = true};
  Request request = read(site);
  request.result = need_declared_dims(site);
  if (static_cast<int>(request.result->size()) != request.rank)
    return Declined{"the declared shape is not of the input's rank"};
  const bool is_stretched_by_sizes = request.by_sizes && request.policy == "stretch" && !site.constant_ints(kSizes);
  if (!is_stretched_by_sizes || request.antialias || request.coordinates == "half_pixel_symmetric" ||
      request.coordinates == "tf_half_pixel_for_nn" || request.crops())
    return by_axis(site, request);
  // The sizes are those of the declared shape.
  Body body("ai.onnx", "Resize", {"X", "roi", "scales", "sizes"}, {"Y"}, 13);
  body("Y", "Resize", {"X", "", "", body.ints(*request.result, "dims")});
  body.copy_attributes(site, resize_attributes, "Resize");
  return as_declared(body, *request.result);
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
const NativeRule declared_rule =
    rule_as_declared("Resize",
                     "antialias, axes, coordinate_transformation_mode, cubic_coeff_a, exclude_outside, "
                     "extrapolation_value, keep_aspect_ratio_policy, mode, nearest_mode",
                     lower_as_declared);
const NativeRule::Registration declared_registration{declared_rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_Resize

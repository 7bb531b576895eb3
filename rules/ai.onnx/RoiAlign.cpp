// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_RoiAlign {
namespace {

constexpr auto kFloat = onnx::TensorProto::FLOAT;
constexpr auto kDouble = onnx::TensorProto::DOUBLE;
constexpr auto kInt64 = onnx::TensorProto::INT64;

// An axis of the image, that of the rows or of the columns.
struct Axis {
  std::string name;
  int of_image;
  int64_t first, last;  // where a region begins and ends
  int64_t parts;
};

struct Options {
  onnx::TensorProto::DataType real;
  bool half_pixel;
  bool maximum;
  double scale;
  int64_t samples;  // of a part, along an axis; 0: as many as it has pixels
};

std::string number(Body& body, const Options& options, double value) {
  return body.constant(body.fresh("number"), tensor_of(options.real, {}, std::vector<double>{value}));
}

// For all regions along an axis, makes where they begin, how long their parts are, and how many
// samples the parts have.
void append_parts(Body& body, const Axis& axis, const Options& options) {
  const auto name = [&](const char* what) { return axis.name + what; };
  body(name("_begin"), "Gather", {"corners", body.scalar(axis.first)}, {{"axis", 1}});
  body(name("_end"), "Gather", {"corners", body.scalar(axis.last)}, {{"axis", 1}});
  body(name("_length"), "Sub", {name("_end"), name("_begin")});
  const std::string length =
      options.half_pixel ? name("_length") : body(name("_pixels"), "Max", {name("_length"), number(body, options, 1)});
  body(name("_part"), "Div", {length, number(body, options, static_cast<double>(axis.parts))});
  if (options.samples > 0) return;
  body(name("_wanted_samples"), "Ceil", {name("_part")});
  body(name("_samples"), "Max", {name("_wanted_samples"), number(body, options, 1)});
}

// Makes the pixels before and behind the samples along an axis, and the weight of each of the two:
// where all regions have as many samples, of all regions, [region, sample], which spares the Loop
// many nodes; else of one region, in the body of the Loop. A sample outside of the image has no
// weight, and neither has one of a region whose size asks for no samples.
void append_samples(Body& body, const Axis& axis, const Options& options) {
  const auto name = [&](const char* what) { return axis.name + what; };
  const std::string none = body.scalar(0), one = body.scalar(1);
  const auto of_region = [&](const char* what) {
    if (options.samples > 0) return body.unsqueeze(name(what), {1}, name("_of_each"));
    return body(body.fresh(name("_here")), "Gather", {name(what), "region"}, {{"axis", 0}});
  };
  const std::string begin = of_region("_begin"), part = of_region("_part");
  const std::string samples =
      options.samples > 0 ? number(body, options, static_cast<double>(options.samples)) : of_region("_samples");
  body(name("_sample_count"), "Cast", {samples}, {{"to", kInt64}});
  body(name("_count"), "Mul", {name("_sample_count"), body.scalar(axis.parts)});
  body(name("_all"), "Range", {none, name("_count"), one});
  body(name("_which_part"), "Div", {name("_all"), name("_sample_count")});
  body(name("_before_part"), "Mul", {name("_which_part"), name("_sample_count")});
  body(name("_in_part"), "Sub", {name("_all"), name("_before_part")});
  body(name("_which_part_real"), "Cast", {name("_which_part")}, {{"to", options.real}});
  body(name("_in_part_real"), "Cast", {name("_in_part")}, {{"to", options.real}});
  body(name("_part_shift"), "Mul", {name("_which_part_real"), part});
  body(name("_part_begin"), "Add", {begin, name("_part_shift")});
  body(name("_middle"), "Add", {name("_in_part_real"), number(body, options, 0.5)});
  body(name("_middles"), "Mul", {name("_middle"), part});
  body(name("_shift"), "Div", {name("_middles"), samples});
  body(name("_place"), "Add", {name("_part_begin"), name("_shift")});

  body(name("_is_before"), "Less", {name("_place"), number(body, options, -1)});
  body(name("_is_behind"), "Less", {name("_size_real"), name("_place")});
  body(name("_is_outside"), "Or", {name("_is_before"), name("_is_behind")});
  body(name("_not_before"), "Max", {name("_place"), number(body, options, 0)});
  body(name("_inside"), "Min", {name("_not_before"), name("_last_real")});
  body(name("_low_real"), "Floor", {name("_inside")});
  body(name("_share"), "Sub", {name("_inside"), name("_low_real")});
  body(name("_low"), "Cast", {name("_low_real")}, {{"to", kInt64}});
  body(name("_next"), "Add", {name("_low_real"), number(body, options, 1)});
  body(name("_high_real"), "Min", {name("_next"), name("_last_real")});
  body(name("_high"), "Cast", {name("_high_real")}, {{"to", kInt64}});
  body(name("_rest"), "Sub", {number(body, options, 1), name("_share")});
  std::string counts_not = name("_is_outside");
  if (options.samples == 0) {
    const std::string wanted = of_region("_wanted_samples");
    body(name("_wants_none"), "Less", {wanted, number(body, options, 0.5)});
    counts_not = body(name("_counts_not"), "Or", {name("_is_outside"), name("_wants_none")});
  }
  for (const auto& [weight, share] : {std::pair{"_low_weight", "_rest"}, std::pair{"_high_weight", "_share"}}) {
    body(name(weight), "Where", {counts_not, number(body, options, 0), name(share)});
  }
}

// What append_samples() made, of one region, in the body of the Loop.
std::string of_one_region(Body& body, const Axis& axis, const Options& options, const std::string& what) {
  const std::string all = axis.name + what;
  return options.samples > 0 ? body(body.fresh(all), "Gather", {all, "region"}, {{"axis", 0}}) : all;
}

// The weighed pixels [samples of the rows, samples of the columns, channel] before or behind the
// samples along each axis; `starts` is which pixels the rows begin with.
std::string append_neighbours(Body& body, const std::string& starts, const std::string& row_weight,
                              const std::string& column, const std::string& column_weight) {
  const std::string place = body(body.fresh("place"), "Add", {starts, column});
  const std::string pixels = body(body.fresh("pixels"), "Gather", {"pixels_of_images", place}, {{"axis", 0}});
  const std::string weight = body(body.fresh("weight"), "Mul", {row_weight, column_weight});
  return body(body.fresh("weighed"), "Mul", {pixels, weight});
}

// The mean of a part's samples, which are sums of four weighted pixels; for mode max the greatest
// of all weighted pixels, as ONNX defines it.
void append_region(Body& body, const Axis& rows, const Axis& columns, const Options& options) {
  body("goes_on", "Identity", {"go_on"});
  body("image_start", "Gather", {"image_starts", "region"}, {{"axis", 0}});
  if (options.samples == 0) {
    append_samples(body, rows, options);
    append_samples(body, columns, options);
  }
  struct Side {
    std::string pixels, weight;
  };
  std::vector<Side> column_sides;
  for (const std::string side : {"_low", "_high"}) {
    const std::string weight = of_one_region(body, columns, options, side + "_weight");
    column_sides.push_back({of_one_region(body, columns, options, side), body.unsqueeze(weight, {1}, "column_weight")});
  }
  std::string samples;
  for (const std::string side : {"_low", "_high"}) {
    const std::string above = body(body.fresh("above"), "Mul", {of_one_region(body, rows, options, side), "width"});
    const std::string start = body(body.fresh("start"), "Add", {above, "image_start"});
    const std::string starts = body.unsqueeze(start, {1}, "starts");
    const std::string weight = of_one_region(body, rows, options, side + "_weight");
    const std::string row_weight = body.unsqueeze(weight, {1, 2}, "row_weight");
    for (const Side& column : column_sides) {
      const std::string neighbours = append_neighbours(body, starts, row_weight, column.pixels, column.weight);
      samples = samples.empty() ? neighbours
                                : body(body.fresh("samples"), options.maximum ? "Max" : "Add", {samples, neighbours});
    }
  }
  body("row_samples", "Reshape", {rows.name + "_sample_count", "one_element"});
  body("column_samples", "Reshape", {columns.name + "_sample_count", "one_element"});
  body("parts_shape", "Concat", {"row_parts", "row_samples", "column_parts", "column_samples", "channels"},
       {{"axis", 0}});
  body("samples_of_parts", "Reshape", {samples, "parts_shape"});
  // One axis after the other, for which runtimes have a fast way.
  const char* reduction = options.maximum ? "ReduceMax" : "ReduceMean";
  body("of_columns", reduction, {"samples_of_parts", body.ints({3})}, {{"keepdims", 0}});
  body("region_values", reduction, {"of_columns", body.ints({1})}, {{"keepdims", 0}});
}

// Without images there are no regions either: the result has no elements.
Lowering of_no_images(const Axis& rows, const Axis& columns) {
  Body body("ai.onnx", "RoiAlign", {"X", "rois", "batch_indices"}, {"Y"}, 18);
  const std::string parts = body.ints({rows.parts, columns.parts}, "parts");
  body("shape", "Concat", {body.dim_list("rois", 0), body.dim_list("X", 1), parts}, {{"axis", 0}});
  body("zeros", "ConstantOfShape", {"shape"});
  body("Y", "CastLike", {"zeros", "X"});
  return body.function();
}

Lowering lower(const CallSite& site) {
  const bool is_newer = site.version().value_or(16) >= 16;
  const std::string coordinates =
      site.need_choice("coordinate_transformation_mode", is_newer ? "half_pixel" : "output_half_pixel",
                       {"half_pixel", "output_half_pixel"});
  const Options options{.real = site.dtype(0) == kDouble ? kDouble : kFloat,
                        .half_pixel = coordinates == "half_pixel",
                        .maximum = site.need_choice("mode", "avg", {"avg", "max"}) == "max",
                        .scale = site.attribute_float("spatial_scale", 1.0F),
                        .samples = site.attribute_int("sampling_ratio", 0)};
  const Axis rows{"row", 2, 1, 3, site.attribute_int("output_height", 1)};
  const Axis columns{"column", 3, 0, 2, site.attribute_int("output_width", 1)};
  if (rows.parts < 1 || columns.parts < 1) return Declined{"output_height or output_width is not positive"};
  if (options.samples < 0) return Declined{"sampling_ratio is negative"};

  if (site.dim(0, 0) == 0) return of_no_images(rows, columns);
  Body body("ai.onnx", "RoiAlign", {"X", "rois", "batch_indices"}, {"Y"}, 18);
  body("images", "Cast", {"X"}, {{"to", options.real}});
  // The channels of a pixel lie side by side, so that a pixel is read at once.
  body("pixels_of_images", "Flatten", {body.transpose("images", {0, 2, 3, 1}, "channels_last")}, {{"axis", 3}});
  // One more region is there, since OpenVINO gives nothing for a Loop without iterations.
  body.constant("more_region", tensor_of(options.real, {1, 4}, std::vector<double>{0, 0, 0, 0}));
  body("rois_real", "Cast", {"rois"}, {{"to", options.real}});
  body("regions", "Concat", {"rois_real", "more_region"}, {{"axis", 0}});
  body.constant("more_number", Ints{0});
  body("image_numbers", "Concat", {"batch_indices", "more_number"}, {{"axis", 0}});
  body("width", "Identity", {body.dim("X", columns.of_image)});
  body("pixels_of_an_image", "Mul", {body.dim("X", rows.of_image), "width"});
  body("image_starts", "Mul", {"image_numbers", "pixels_of_an_image"});
  const std::string scaled = body("scaled", "Mul", {"regions", number(body, options, options.scale)});
  body("corners", "Sub", {scaled, number(body, options, options.half_pixel ? 0.5 : 0.0)});
  body.constant("one_element", Ints{1});
  for (const Axis& axis : {rows, columns}) {
    const std::string size = body.dim("X", axis.of_image);
    body(axis.name + "_size_real", "Cast", {size}, {{"to", options.real}});
    body(axis.name + "_last_real", "Sub", {axis.name + "_size_real", number(body, options, 1)});
    append_parts(body, axis, options);
    if (options.samples > 0) append_samples(body, axis, options);
  }
  body.constant("row_parts", Ints{rows.parts});
  body.constant("column_parts", Ints{columns.parts});
  body("channels", "Identity", {body.dim_list("X", 1)});
  body.constant("always", tensor_of(onnx::TensorProto::BOOL, {}, Ints{1}));
  const onnx::GraphProto region = body.graph(
      "align_a_region", {{"region", kInt64}, {"go_on", onnx::TensorProto::BOOL}},
      {{"goes_on", onnx::TensorProto::BOOL},
       {"region_values", options.real, {std::to_string(rows.parts), std::to_string(columns.parts), "channels"}}},
      [&] { append_region(body, rows, columns, options); });
  body("loop_count", "Identity", {body.dim("regions", 0)});
  body("all_regions", "Loop", {"loop_count", "always"}, {{"body", region}});
  body("result", "Slice", {"all_regions", body.ints({0}), body.dim_list("rois", 0), body.ints({0})});
  body("Y", "CastLike", {body.transpose("result", {0, 3, 1, 2}, "channels_first"), "X"});
  return body.function();
}

const NativeRule rule{
    .domain = "ai.onnx",
    .op_type = "RoiAlign",
    .summary = "Averages over the parts of regions, or the greatest values there, where the runtime has no RoiAlign.",
    .source = "ONNX RoiAlign-10, -16 and -22, and ONNX Runtime's kernel.",
    .attributes = "coordinate_transformation_mode, mode, output_height, output_width, sampling_ratio, spatial_scale",
    .inputs = "X, rois, batch_indices",
    .needed_inputs = 3,
    .most_inputs = 3,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_RoiAlign

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::mmdeploy_MMCVMultiScaleDeformableAttention {
namespace {

// Adds up the samples of one image pyramid's level: (N * heads, channels, queries).
std::string sum_of_level(Body& body, int64_t level) {
  const auto name = [&](std::string_view what) { return fmt::format("{}_{}", what, level); };
  const std::string number = body.scalar(level, "level");
  body(name("begin"), "Gather", {"starts", number}, {{"axis", 0}});
  body(name("size"), "Gather", {"shapes", number}, {{"axis", 0}});
  body(name("height"), "Gather", {name("size"), "first"}, {{"axis", 0}});
  body(name("width"), "Gather", {name("size"), "second"}, {{"axis", 0}});
  body(name("count"), "Mul", {name("height"), name("width")});
  const std::string count = body.reshape(name("count"), Ints{}, name("one_count"));
  body(name("end"), "Add", {name("begin"), count});
  // The part of a level is taken by a Gather: a Slice of opset 10 keeps the symbolic name of the
  // dimension that it cuts, so that ONNX Runtime would take all parts for equally long.
  body(name("numbers"), "Range", {name("begin"), name("end"), "one"});
  body(name("rows"), "Gather", {"value", name("numbers")}, {{"axis", 1}});
  body(name("pixels"), "Transpose", {name("rows")}, {{"perm", Ints{0, 2, 3, 1}}});
  body(name("image_shape"), "Concat", {"any", "channels", name("height"), name("width")}, {{"axis", 0}});
  body(name("image"), "Reshape", {name("pixels"), name("image_shape")});

  body(name("places"), "Gather", {"grids", number}, {{"axis", 3}});
  body(name("grid"), "Reshape", {body.transpose(name("places"), {0, 2, 1, 3, 4}), "grid_shape"});
  body(name("samples"), "GridSample", {name("image"), name("grid")},
       {{"align_corners", 0}, {"mode", "linear"}, {"padding_mode", "zeros"}});
  body(name("weights_of_level"), "Gather", {"attention_weights", number}, {{"axis", 3}});
  body(name("weights"), "Reshape", {body.transpose(name("weights_of_level"), {0, 2, 1, 3}), "weights_shape"});
  body(name("weighed"), "Mul", {name("samples"), name("weights")});
  return body(name("sum"), "ReduceSum", {name("weighed"), body.ints({3}, "points")}, {{"keepdims", 0}});
}

Lowering lower(const CallSite& site) {
  std::optional<int64_t> levels = site.dim(1, 0);
  if (!levels) levels = site.dim(3, 3);
  const int64_t level_count = levels ? *levels : site.need_dim(4, 3);
  if (level_count < 1) return Declined{"it has no levels"};

  Body body("mmdeploy", "MMCVMultiScaleDeformableAttention",
            {"value", "value_spatial_shapes", "value_level_start_index", "sampling_locations", "attention_weights"},
            {"output"}, 20);
  body.grows_with(static_cast<std::size_t>(level_count));
  body.constant("any", Ints{-1});
  body.constant("first", Ints{0});
  body.constant("second", Ints{1});
  body.constant("one", int64_t{1});
  body("shapes", "Cast", {"value_spatial_shapes"}, {{"to", onnx::TensorProto::INT64}});
  body("starts", "Cast", {"value_level_start_index"}, {{"to", onnx::TensorProto::INT64}});
  body("channels", "Identity", {body.dim_list("value", 3)});
  const std::string queries = body.dim_list("sampling_locations", 1), points = body.dim_list("sampling_locations", 4);
  body("grid_shape", "Concat", {"any", queries, points, body.ints({2}, "coordinates")}, {{"axis", 0}});
  body("weights_shape", "Concat", {"any", "second", queries, points}, {{"axis", 0}});
  // Locations are 0 and 1 at the borders of the image, and those of GridSample -1 and 1.
  body("twice", "Mul", {"sampling_locations", body.scalar_like(2, "sampling_locations", "two")});
  body("grids", "Sub", {"twice", body.scalar_like(1, "sampling_locations", "one")});
  std::string sum;
  for (int64_t level = 0; level < level_count; ++level) {
    const std::string of_level = sum_of_level(body, level);
    sum = sum.empty() ? of_level : body(fmt::format("sum_to_{}", level), "Add", {sum, of_level});
  }
  body("result_shape", "Concat", {body.dim_list("value", 0), "any", queries}, {{"axis", 0}});
  body("heads", "Reshape", {sum, "result_shape"});
  body("output", "Transpose", {"heads"}, {{"perm", Ints{0, 2, 1}}});
  return body.function();
}

const NativeRule rule{
    .domain = "mmdeploy",
    .op_type = "MMCVMultiScaleDeformableAttention",
    .summary = "Sums of samples of several images, as in Deformable DETR: (value, shapes, starts, places, weights).",
    .source =
        "multi_scale_deformable_attn_pytorch of mmcv; the name is mmdeploy's. im2col_step says how it is computed.",
    .also = "mmcv::MMCVMultiScaleDeformableAttention, npu::MultiScaleDeformableAttn",
    .attributes = "im2col_step",
    .inputs = "value, value_spatial_shapes, value_level_start_index, sampling_locations, attention_weights",
    .needed_inputs = 5,
    .most_inputs = 5,
    .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::mmdeploy_MMCVMultiScaleDeformableAttention

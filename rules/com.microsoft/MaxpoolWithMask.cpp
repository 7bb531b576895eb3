// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <limits>

#include "families/windows.h"

namespace onnx_lower::native_rules::com_microsoft_MaxpoolWithMask {
namespace {

constexpr int64_t kToEnd = std::numeric_limits<int64_t>::max();

// Gives where the mask is not zero, as a bool that broadcasts to X. For plane p of the N * C of X,
// the kernel reads the mask from element (p * size of a plane) % (N * C of the mask) on, and it
// ignores the mask for the first element of a plane with several axes.
std::string kept(const CallSite& site, Body& body, int axes) {
  const std::string zero = body.scalar(0, "zero");
  const std::string one = body.scalar(1, "one");
  const bool one_plane = site.dim(1, 0) == 1 && site.dim(1, 1) == 1;
  if (!one_plane || axes > 1) {
    body("plane_sizes", "Shape", {"X"});
    const std::string axis = body.ints({0}, "axis"), end = body.ints({kToEnd}, "end"), start = body.ints({2}, "start");
    body("spatial_shape", "Slice", {"plane_sizes", start, end, axis});
    body("plane_size", "ReduceProd", {"spatial_shape"}, {{"keepdims", 0}});
    body("place", "Range", {zero, "plane_size", one});
  }
  std::string mask = "M";
  if (!one_plane) {
    const std::string channels = body.dim("X", 1), images = body.dim("X", 0);
    body("planes", "Mul", {images, channels});
    const std::string mask_channels = body.dim("M", 1), masks = body.dim("M", 0);
    body("mask_planes", "Mul", {masks, mask_channels});
    body("plane", "Range", {zero, "planes", one});
    body("plane_start", "Mul", {"plane", "plane_size"});
    // Where the mask has no planes, there is nothing to divide, but the divisor must not be 0
    // even then.
    body("mask_planes_or_one", "Max", {"mask_planes", one});
    body("mask_start", "Mod", {"plane_start", "mask_planes_or_one"});
    const std::string column = body.unsqueeze("mask_start", {1}, "mask_start_column");
    body("mask_places", "Add", {column, "place"});
    const std::string flat = body.reshape("M", {-1}, "mask_list");
    body("mask_rows", "Gather", {flat, "mask_places"}, {{"axis", 0}});
    body("mask_of_planes", "Reshape", {"mask_rows", "plane_sizes"});
    mask = "mask_of_planes";
  }
  body("is_set", "Cast", {mask}, {{"to", 9}});
  if (axes == 1) return "is_set";
  body("is_first", "Equal", {"place", zero});
  body("is_first_of_plane", "Reshape", {"is_first", "spatial_shape"});
  body("is_kept", "Or", {"is_set", "is_first_of_plane"});
  return "is_kept";
}

// Along the last axis a window ends at the first element that the mask hides. The maximum of the
// elements before that is computed for a window at each element. Then a MaxPool of one element
// along this axis takes the windows that the strides choose, and pools along the other axes, where
// the mask hides nothing more.
Lowering lower(const CallSite& site) {
  const Windows windows = windows_of(site);
  const int axes = windows.axes();
  if (axes > 3) return Declined{fmt::format("kernel_shape has {} axes, and not from 1 to 3", axes)};

  Body body("com.microsoft", "MaxpoolWithMask", {"X", "M"}, {"Y"}, 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  const std::string lowest = body.scalar_like(std::numeric_limits<float>::lowest(), "X", "lowest");
  body("keep", "Cast", {kept(site, body, axes)}, {{"to", 1}});
  body("is_nan", "IsNaN", {"X"});
  body("numbers", "Where", {"is_nan", lowest, "X"});
  std::string image = "numbers";
  std::string keep = "keep";
  if (windows.is_same() || windows.has_pads()) {
    const std::string list = filled_pads(site, body, windows, image, false);
    body("padded", "Pad", {image, list, lowest});
    body("keep_padded", "Pad", {keep, list, body.float_scalar(1.0, "seen")});
    image = "padded";
    keep = "keep_padded";
  }

  const std::string axis = body.ints({axes + 1}, "axis");
  const std::string nothing = body.float_scalar(0.0, "nothing");
  const int64_t width = windows.kernel.back();
  std::string seen;
  std::string greatest;
  for (int64_t place = 0; place < width; ++place) {
    const std::string start = body.ints({place}, "start");
    const std::string end = body.ints({place + 1 < width ? place + 1 - width : kToEnd}, "end");
    const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, place); };
    body(name("element"), "Slice", {image, start, end, axis});
    body(name("own_keep"), "Slice", {keep, start, end, axis});
    if (!seen.empty()) body(name("all_keep"), "Mul", {seen, name("own_keep")});
    seen = seen.empty() ? name("own_keep") : name("all_keep");
    body(name("is_seen"), "Greater", {seen, nothing});
    body(name("seen_element"), "Where", {name("is_seen"), name("element"), lowest});
    if (!greatest.empty()) body(name("greatest"), "Max", {greatest, name("seen_element")});
    greatest = greatest.empty() ? name("seen_element") : name("greatest");
  }
  std::vector<int64_t> rest = windows.kernel;
  rest.back() = 1;
  body("Y", "MaxPool", {greatest}, {{"kernel_shape", rest}, {"strides", windows.strides}});
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "MaxpoolWithMask",
                      .summary = "MaxPool in which a row of a window ends at the first element that the mask hides.",
                      .source = "ONNX Runtime's contrib operator MaxpoolWithMask, as its kernel computes it",
                      .attributes = "auto_pad, kernel_shape, pads, storage_order, strides",
                      .required_attributes = "kernel_shape",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_MaxpoolWithMask

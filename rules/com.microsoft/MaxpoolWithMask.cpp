// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>

#include "windows.h"

namespace onnx_lower {
namespace {

constexpr int64_t kToEnd = std::numeric_limits<int64_t>::max();

// Where the mask is not zero, as a bool that broadcasts to X. The kernel takes the mask of plane p of X's N * C from element
// (p * size of a plane) % (N * C of the mask) of the mask on, and looks at no mask for the first element of a plane with several axes.
std::string kept(const CallSite& site, BodyText& body, int axes) {
  const std::string zero = body.scalar(0, "zero");
  const std::string one = body.scalar(1, "one");
  const bool one_plane = site.dim(1, 0) == 1 && site.dim(1, 1) == 1;
  if (!one_plane || axes > 1) {
    body.line("plane_sizes = Shape (X)");
    body.line("spatial_shape = Slice (plane_sizes, {}, {}, {})", body.ints({2}, "start"), body.ints({kToEnd}, "end"),
              body.ints({0}, "axis"));
    body.line("plane_size = ReduceProd <keepdims = 0> (spatial_shape)");
    body.line("place = Range ({}, plane_size, {})", zero, one);
  }
  std::string mask = "M";
  if (!one_plane) {
    body.line("planes = Mul ({}, {})", body.dim("X", 0), body.dim("X", 1));
    body.line("mask_planes = Mul ({}, {})", body.dim("M", 0), body.dim("M", 1));
    body.line("plane = Range ({}, planes, {})", zero, one);
    body.line("plane_start = Mul (plane, plane_size)");
    body.line("mask_start = Mod (plane_start, mask_planes)");
    const std::string column = body.unsqueeze("mask_start", {1}, "mask_start_column");
    body.line("mask_places = Add ({}, place)", column);
    const std::string flat = body.reshape("M", {-1}, "mask_list");
    body.line("mask_rows = Gather <axis = 0> ({}, mask_places)", flat);
    body.line("mask_of_planes = Reshape (mask_rows, plane_sizes)");
    mask = "mask_of_planes";
  }
  body.line("is_set = Cast <to = 9> ({})", mask);
  if (axes == 1) return "is_set";
  body.line("is_first = Equal (place, {})", zero);
  body.line("is_first_of_plane = Reshape (is_first, spatial_shape)");
  body.line("is_kept = Or (is_set, is_first_of_plane)");
  return "is_kept";
}

// Along the last axis, a window ends at the first element that the mask hides: for a window at each element, the greatest of those before it. A MaxPool
// of one element there takes those that the strides choose, and does the rest along the other axes, where the mask hides nothing more.
Lowering lower(const CallSite& site) {
  const auto given = windows_of(site);
  if (const auto* declined = std::get_if<Declined>(&given)) return *declined;
  const Windows& windows = std::get<Windows>(given);
  const int axes = windows.axes();
  if (axes > 3) return Declined{fmt::format("kernel_shape has {} axes, and not from 1 to 3", axes)};

  BodyText body("com.microsoft", "MaxpoolWithMask", {"X", "M"}, {"Y"}, 15);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  const std::string lowest = body.scalar_like(std::numeric_limits<float>::lowest(), "X", "lowest");
  body.line("keep = Cast <to = 1> ({})", kept(site, body, axes));
  body.line("is_nan = IsNaN (X)");
  body.line("numbers = Where (is_nan, {}, X)", lowest);
  std::string image = "numbers";
  std::string keep = "keep";
  if (windows.is_same() || windows.has_pads()) {
    const std::string list = filled_pads(site, body, windows, image, false);
    body.line("padded = Pad ({}, {}, {})", image, list, lowest);
    body.line("keep_padded = Pad ({}, {}, {})", keep, list, body.float_scalar(1.0, "seen"));
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
    body.line("{} = Slice ({}, {}, {}, {})", name("element"), image, start, end, axis);
    body.line("{} = Slice ({}, {}, {}, {})", name("own_keep"), keep, start, end, axis);
    if (!seen.empty()) body.line("{} = Mul ({}, {})", name("all_keep"), seen, name("own_keep"));
    seen = seen.empty() ? name("own_keep") : name("all_keep");
    body.line("{} = Greater ({}, {})", name("is_seen"), seen, nothing);
    body.line("{} = Where ({}, {}, {})", name("seen_element"), name("is_seen"), name("element"), lowest);
    if (!greatest.empty()) body.line("{} = Max ({}, {})", name("greatest"), greatest, name("seen_element"));
    greatest = greatest.empty() ? name("seen_element") : name("greatest");
  }
  std::vector<int64_t> rest = windows.kernel;
  rest.back() = 1;
  body.line("Y = MaxPool <kernel_shape = [{}], strides = [{}]> ({})", fmt::join(rest, ", "),
            fmt::join(windows.strides, ", "), greatest);
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "MaxpoolWithMask",
                      .summary = "MaxPool in which a row of a window ends at the first element that the mask hides.",
                      .source = "ONNX Runtime's contrib operator MaxpoolWithMask, as its kernel computes it",
                      .attributes = "auto_pad, kernel_shape, pads, storage_order, strides",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower

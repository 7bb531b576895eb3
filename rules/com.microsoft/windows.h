// How the windows of a pooling operator lie along the spatial axes of an image.
#pragma once

#include <algorithm>
#include <optional>

#include "body_text.h"

namespace onnx_lower {

struct Padding {
  int64_t begin;
  int64_t end;
};

struct Windows {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> pads;  // as in the attribute: what is before each axis, then what is behind each
  std::string auto_pad;

  int axes() const { return static_cast<int>(kernel.size()); }
  bool is_same() const { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }
  Padding given_padding(int axis) const { return {pads[axis], pads[axes() + axis]}; }
  bool has_pads() const {
    return std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; });
  }

  // What is added to an axis of that size for SAME_UPPER and SAME_LOWER.
  Padding same_padding(int axis, int64_t size) const {
    const int64_t total = std::max<int64_t>((size - 1) / strides[axis] * strides[axis] + kernel[axis] - size, 0);
    const int64_t smaller = total / 2;
    return auto_pad == "SAME_UPPER" ? Padding{smaller, total - smaller} : Padding{total - smaller, smaller};
  }
};

// The windows that the node's attributes give, or why they make no sense.
inline std::variant<Windows, Declined> windows_of(const CallSite& site) {
  Windows windows;
  windows.kernel = site.attribute_ints("kernel_shape", {});
  const std::size_t axes = windows.kernel.size();
  windows.strides = site.attribute_ints("strides", std::vector<int64_t>(axes, 1));
  windows.auto_pad = site.attribute_string("auto_pad", "NOTSET");
  windows.pads = std::vector<int64_t>(2 * axes, 0);
  if (windows.auto_pad == "NOTSET") {
    windows.pads = site.attribute_ints("pads", windows.pads);
  } else if (windows.auto_pad != "VALID" && !windows.is_same()) {
    return Declined{"it does not know the auto_pad " + windows.auto_pad};
  }
  if (axes == 0) return Declined{"it has no kernel_shape", {"kernel_shape"}};
  if (windows.strides.size() != axes || windows.pads.size() != 2 * axes) {
    return Declined{"kernel_shape, strides and pads are not for the same number of axes"};
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (windows.kernel[axis] < 1 || windows.strides[axis] < 1) {
      return Declined{"kernel_shape and strides are not all positive"};
    }
  }
  return windows;
}

// The pads of a Pad that adds to the spatial axes of (N, C, …).
inline std::vector<int64_t> spatial_pads(const std::vector<Padding>& paddings) {
  std::vector<int64_t> pads{0, 0};
  for (const Padding& padding : paddings) pads.push_back(padding.begin);
  pads.insert(pads.end(), {0, 0});
  for (const Padding& padding : paddings) pads.push_back(padding.end);
  return pads;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How the windows of a pooling operator lie along the spatial axes of an image.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

struct Padding {
  int64_t begin;
  int64_t end;
};

struct Windows {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  // As in the attribute: what is before each axis, then what is behind each.
  std::vector<int64_t> pads;
  std::vector<int64_t> dilations;
  std::string auto_pad;
  bool ceil = false;

  int axes() const { return static_cast<int>(kernel.size()); }
  bool is_same() const { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }
  // How far a window reaches along an axis.
  int64_t extent(int axis) const { return dilations[axis] * (kernel[axis] - 1) + 1; }
  Padding given_padding(int axis) const { return {pads[axis], pads[axes() + axis]}; }
  bool has_pads() const {
    return std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; });
  }

  // The padding of an axis of that size for SAME_UPPER and SAME_LOWER. Where the strides are longer
  // than the windows, it is negative: ONNX Runtime's kernels cut off half of the elements that no
  // window reaches.
  Padding same_padding(int axis, int64_t size) const {
    const int64_t total = (size - 1) / strides[axis] * strides[axis] + extent(axis) - size;
    const int64_t begin = auto_pad == "SAME_UPPER" ? total / 2 : (total + 1) / 2;
    return {begin, total - begin};
  }
  bool may_cut_off() const {
    for (int axis = 0; is_same() && axis < axes(); ++axis) {
      if (strides[axis] > extent(axis)) return true;
    }
    return false;
  }

  // Whether ceil_mode can find a window that would begin behind an image of some size, and leave
  // it out.
  bool may_leave_out() const {
    for (int axis = 0; ceil && axis < axes(); ++axis) {
      if (given_padding(axis).end + strides[axis] > extent(axis)) return true;
    }
    return false;
  }

  // The padding of an axis of that size with which the windows reach exactly to its end. With
  // ceil_mode the last window, which has to begin before the padding behind the image, may reach
  // further than the given padding.
  Padding filled_padding(int axis, int64_t size) const {
    if (is_same()) return same_padding(axis, size);
    const Padding given = given_padding(axis);
    if (!ceil) return given;
    const int64_t stride = strides[axis];
    int64_t last_start = (size + given.begin + given.end - extent(axis) + stride - 1) / stride * stride;
    if (last_start >= size + given.begin) last_start -= stride;
    return {given.begin, std::max<int64_t>(last_start + extent(axis) - size - given.begin, 0)};
  }
};

// The windows that the node's attributes give; the rule declines where they make no sense. It
// requires kernel_shape.
inline Windows windows_of(const CallSite& site) {
  Windows windows;
  windows.kernel = site.attribute_ints("kernel_shape", {});
  const std::size_t axes = windows.kernel.size();
  windows.strides = site.attribute_ints("strides", std::vector<int64_t>(axes, 1));
  windows.dilations = site.attribute_ints("dilations", std::vector<int64_t>(axes, 1));
  windows.ceil = site.attribute_int("ceil_mode", 0) == 1;
  windows.auto_pad = site.attribute_string("auto_pad", "NOTSET");
  windows.pads = std::vector<int64_t>(2 * axes, 0);
  if (windows.auto_pad == "NOTSET") {
    windows.pads = site.attribute_ints("pads", windows.pads);
  } else if (windows.auto_pad != "VALID" && !windows.is_same()) {
    decline("it does not know the auto_pad " + windows.auto_pad);
  }
  if (axes == 0) decline("kernel_shape is empty");
  if (windows.strides.size() != axes || windows.dilations.size() != axes || windows.pads.size() != 2 * axes) {
    decline("kernel_shape, strides, dilations and pads are not for the same number of axes");
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (windows.kernel[axis] < 1 || windows.strides[axis] < 1 || windows.dilations[axis] < 1) {
      decline("kernel_shape, strides and dilations are not all positive");
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

// Gives filled_padding() for each axis of the image that is input 0; nothing where that depends on
// a size that is not known.
inline std::optional<std::vector<Padding>> known_paddings(const CallSite& site, const Windows& windows,
                                                          bool channels_last) {
  const bool is_by_size = windows.is_same() || windows.ceil;
  std::vector<Padding> paddings;
  for (int axis = 0; axis < windows.axes(); ++axis) {
    if (!is_by_size) {
      paddings.push_back(windows.given_padding(axis));
      continue;
    }
    const std::optional<int64_t> size = site.dim(0, axis + (channels_last ? 1 : 2));
    if (!size) return std::nullopt;
    paddings.push_back(windows.filled_padding(axis, *size));
  }
  return paddings;
}

// Makes `last_start` of each axis: where its last window starts, as counted from the padding's
// beginning, which `begins` places before the image. See Windows::filled_padding.
inline void append_last_start(Body& body, const Windows& windows, const std::string& strides, const std::string& begins,
                              const std::string& one) {
  if (windows.is_same()) {
    body("before_end", "Sub", {"size", one});
    body("last_window", "Div", {"before_end", strides});
    body("last_start", "Mul", {"last_window", strides});
    return;
  }
  Ints room;
  for (int axis = 0; axis < windows.axes(); ++axis) {
    const Padding given = windows.given_padding(axis);
    room.push_back(given.begin + given.end - windows.extent(axis) + windows.strides[axis] - 1);
  }
  body("room", "Add", {"size", body.ints(room, "given_room")});
  body("last_window", "Div", {"room", strides});
  body("ceil_start", "Mul", {"last_window", strides});
  body("image_end", "Add", {"size", begins});
  body("is_inside", "Less", {"ceil_start", "image_end"});
  body("earlier_start", "Sub", {"ceil_start", strides});
  body("last_start", "Where", {"is_inside", "ceil_start", "earlier_start"});
}

// Makes `ends`, the padding behind the axes, and gives the name of that before them. For
// SAME_UPPER and SAME_LOWER each is half of `missing`; else `begins` is before the axes, and the
// rest behind them.
inline std::string append_ends(Body& body, const Windows& windows, const std::string& begins, const std::string& zero,
                               const std::string& one) {
  if (!windows.is_same()) {
    body("missing_behind", "Sub", {"missing", begins});
    body("is_missing", "Less", {zero, "missing_behind"});
    body("ends", "Where", {"is_missing", "missing_behind", zero});
    return begins;
  }
  const std::string twice = windows.auto_pad == "SAME_LOWER" ? body("rounded_up", "Add", {"missing", one}) : "missing";
  body("begins", "Div", {twice, body.ints({2}, "two")});
  body("ends", "Sub", {"missing", "begins"});
  return "begins";
}

// The pads of a Pad of `image`, (N, C, …), with which the windows reach exactly to its ends.
// `image` is input 0, perhaps in another layout.
inline std::string filled_pads(const CallSite& site, Body& body, const Windows& windows, const std::string& image,
                               bool channels_last) {
  if (const auto paddings = known_paddings(site, windows, channels_last))
    return body.ints(spatial_pads(*paddings), "pads");
  const int axes = windows.axes();
  const std::string zero = body.ints({0}, "zero");
  const std::string one = body.ints({1}, "one");
  const std::string none = body.ints({0, 0}, "none");
  Ints extents, before;
  for (int axis = 0; axis < axes; ++axis) {
    extents.push_back(windows.extent(axis));
    before.push_back(windows.given_padding(axis).begin);
  }
  const std::string extent = body.ints(extents, "extent");
  const std::string strides = body.ints(windows.strides, "strides");
  body("shape", "Shape", {image});
  const std::string end = body.ints({axes + 2}, "end"), start = body.ints({2}, "start");
  body("size", "Slice", {"shape", start, end, zero});
  const std::string given_begins = body.ints(before, "begins");
  append_last_start(body, windows, strides, given_begins, one);
  body("needed", "Add", {"last_start", extent});
  body("missing", "Sub", {"needed", "size"});
  const std::string begins = append_ends(body, windows, given_begins, zero, one);
  return body("pads", "Concat", {none, begins, none, "ends"}, {{"axis", 0}});
}

}  // namespace onnx_lower

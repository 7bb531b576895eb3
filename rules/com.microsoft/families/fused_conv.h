// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Conv with what ONNX Runtime fuses to it, Y = activation(Conv(X, W, B) + Z), and with channels as
// the last dimension.
#pragma once

#include <fmt/format.h>

#include "activation.h"

namespace onnx_lower {

enum class Layout { channels_first, channels_last };

inline std::vector<int64_t> channels_first_order(int rank) {
  std::vector<int64_t> perm{0, rank - 1};
  for (int axis = 1; axis < rank - 1; ++axis) perm.push_back(axis);
  return perm;
}

inline std::vector<int64_t> channels_last_order(int rank) {
  std::vector<int64_t> perm{0};
  for (int axis = 2; axis < rank; ++axis) perm.push_back(axis);
  perm.push_back(1);
  return perm;
}

// The rank of an image, from its type, that of the filter, or the length of kernel_shape.
inline std::optional<int> image_rank(const CallSite& site, int image, int filter) {
  if (const std::optional<int> rank = site.rank(image)) return rank;
  if (filter >= 0) {
    if (const std::optional<int> rank = site.rank(filter)) return rank;
  }
  if (const auto kernel = site.attribute_ints("kernel_shape", {}); !kernel.empty())
    return static_cast<int>(kernel.size()) + 2;
  return std::nullopt;
}

// Where the channels stand in the shape of a filter: (O, I, kH, kW) or (O, kH, kW, I).
enum class FilterLayout { channels_first, channels_last };

// What kernel_shape and the channels of an image (N, H, W, C) say of the layout of its filter.
struct LayoutEvidence {
  bool is_shown = false;
  std::string contradiction;  // empty if nothing speaks against it
};

inline LayoutEvidence evidence_of_layout(const CallSite& site, FilterLayout layout, int rank) {
  const int first_axis = layout == FilterLayout::channels_last ? 1 : 2;
  const int channel_axis = layout == FilterLayout::channels_last ? rank - 1 : 1;
  const std::vector<int64_t> kernel = site.attribute_ints("kernel_shape", {});
  LayoutEvidence evidence;
  evidence.is_shown = static_cast<int>(kernel.size()) == rank - 2;
  for (int axis = 0; axis < static_cast<int>(kernel.size()); ++axis) {
    const std::optional<int64_t> size = site.dim(1, first_axis + axis);
    if (!size) evidence.is_shown = false;
    if (size && *size != kernel[axis]) {
      evidence.contradiction =
          fmt::format("dimension {} of W is {}, and {} in kernel_shape", first_axis + axis, *size, kernel[axis]);
    }
  }
  const std::optional<int64_t> channels = site.dim(0, rank - 1);
  const std::optional<int64_t> filter_channels = site.dim(1, channel_axis);
  if (channels && filter_channels) {
    const int64_t group = site.attribute_int("group", 1);
    evidence.is_shown = true;
    if (*filter_channels * group != *channels) {
      evidence.contradiction =
          fmt::format("dimension {} of W is {}, which with group {} does not fit the {} channels of X", channel_axis,
                      *filter_channels, group, *channels);
    }
  }
  return evidence;
}

// The attributes of the rules for it.
constexpr std::string_view kFusedConvAttributes =
    "activation, activation_params, auto_pad, dilations, group, kernel_shape, pads, strides";

// An image with channels as its last dimension has a filter of the given layout.
inline Lowering lower_fused_conv(const CallSite& site, const char* op_type, Layout layout, bool fused,
                                 FilterLayout filter_layout = FilterLayout::channels_first) {
  const int rank = image_rank(site, 0, 1).value_or(0);
  if (layout == Layout::channels_last) {
    if (rank < 3) decline(fmt::format("images of rank {} have no channels behind them", site.need_rank(0)));
    const std::string& contradiction = evidence_of_layout(site, filter_layout, rank).contradiction;
    if (!contradiction.empty()) {
      return Declined{fmt::format("W is not {}: {}",
                                  filter_layout == FilterLayout::channels_last ? "(O, kH, kW, I)" : "(O, I, kH, kW)",
                                  contradiction)};
    }
  }
  Body body("com.microsoft", op_type, first_names({"X", "W", "B", "Z"}, site.input_count()), {"Y"}, 20);
  body.all_are_float(site.dtype(0) == onnx::TensorProto::FLOAT);
  std::string image = "X";
  if (layout == Layout::channels_last) image = body.transpose(image, channels_first_order(rank), "channels_first");
  std::string filter = "W";
  if (filter_layout == FilterLayout::channels_last)
    filter = body.transpose(filter, channels_first_order(rank), "filter");
  body("conv", "Conv", {image, filter, site.has_input(2) ? "B" : ""});
  std::string result = "conv";
  if (layout == Layout::channels_last) result = body.transpose(result, channels_last_order(rank), "channels_last");
  if (fused && site.has_input(3)) {
    body("sum", "Add", {result, "Z"});
    result = "sum";
  }
  const std::vector<float> given = site.attribute_floats("activation_params", {});
  const ActivationParameters parameters(given.begin(), given.end());
  append_activation(body, site.attribute_string("activation", ""), parameters, result, "Y");
  body.copy_attributes(site, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}, "Conv");
  return body.function();
}

}  // namespace onnx_lower

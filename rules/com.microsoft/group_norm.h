// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Group normalization of images, with what ONNX Runtime fuses to it.
#pragma once

#include "body_text.h"

namespace onnx_lower {

// Appends `Y` from `image`, which is (N, H, W, C) or, with channels_last = 0, (N, C, H, W); computed in float.
inline std::optional<Declined> append_group_norm(const CallSite& site, BodyText& body, const std::string& image) {
  const int64_t groups = site.attribute_int("groups", 0);
  const bool channels_last = site.attribute_int("channels_last", 1) != 0;
  const int64_t activation = site.attribute_int("activation", 0);
  if (groups <= 0) return Declined{"groups is not positive"};
  if (activation != 0 && activation != 1)
    return Declined{fmt::format("it does not know the activation {}", activation)};
  body.line("image_float = Cast <to = 1> ({})", image);
  const std::string channels_first =
      channels_last ? body.transpose("image_float", {0, 3, 1, 2}, "channels_first") : "image_float";
  body.line("image_shape = Shape ({})", channels_first);
  const std::string grouped = body.reshape(channels_first, {0, groups, -1}, "grouped");
  const std::string axis = body.ints({2}, "axis");
  body.line("mean = ReduceMean ({}, {})", grouped, axis);
  body.line("centred = Sub ({}, mean)", grouped);
  body.line("square = Mul (centred, centred)");
  body.line("variance = ReduceMean (square, {})", axis);
  body.line("variance_above_zero = Add (variance, {})",
            body.float_scalar(site.attribute_float("epsilon", 1e-5f), "epsilon"));
  body.line("deviation = Sqrt (variance_above_zero)");
  body.line("normal_groups = Div (centred, deviation)");
  body.line("normal = Reshape (normal_groups, image_shape)");
  std::string gamma = "gamma_float";
  std::string beta = "beta_float";
  body.line("gamma_float = Cast <to = 1> (gamma)");
  body.line("beta_float = Cast <to = 1> (beta)");
  std::string normal = "normal";
  if (channels_last) {
    normal = body.transpose(normal, {0, 2, 3, 1}, "channels_last");
  } else {
    gamma = body.reshape(gamma, {-1, 1, 1}, "gamma_channels");
    beta = body.reshape(beta, {-1, 1, 1}, "beta_channels");
  }
  body.line("scaled = Mul ({}, {})", normal, gamma);
  body.line("shifted = Add (scaled, {})", beta);
  std::string result = "shifted";
  if (activation == 1) {
    body.line("gate = Sigmoid (shifted)");
    body.line("active = Mul (shifted, gate)");
    result = "active";
  }
  body.line("Y = CastLike ({}, X)", result);
  return std::nullopt;
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Group normalization of images, with the activation that ONNX Runtime fuses to it:
//
//     Y = activation((X - mean) / sqrt(variance + epsilon) * gamma + beta)
//
// with the mean and variance of each group of channels; the activation is SiLU or none.
#pragma once

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower {

// Appends `Y` from `image`, which is (N, H, W, C) or, with channels_last = 0, (N, C, H, W);
// computed in float.
inline void append_group_norm(const CallSite& site, Body& body, const std::string& image) {
  const int64_t groups = site.attribute_int("groups", 0);
  const bool channels_last = site.attribute_int("channels_last", 1) != 0;
  const int64_t activation = site.attribute_int("activation", 0);
  if (groups <= 0) decline("groups is not positive");
  if (activation != 0 && activation != 1) decline(fmt::format("it does not know the activation {}", activation));
  body("image_float", "Cast", {image}, {{"to", 1}});
  const std::string channels_first =
      channels_last ? body.transpose("image_float", {0, 3, 1, 2}, "channels_first") : "image_float";
  body("image_shape", "Shape", {channels_first});
  const std::string grouped = body.reshape(channels_first, {0, groups, -1}, "grouped");
  const std::string axis = body.ints({2}, "axis");
  body("mean", "ReduceMean", {grouped, axis});
  body("centred", "Sub", {grouped, "mean"});
  body("square", "Mul", {"centred", "centred"});
  body("variance", "ReduceMean", {"square", axis});
  body("variance_above_zero", "Add",
       {"variance", body.float_scalar(site.attribute_float("epsilon", 1e-5f), "epsilon")});
  body("deviation", "Sqrt", {"variance_above_zero"});
  body("normal_groups", "Div", {"centred", "deviation"});
  body("normal", "Reshape", {"normal_groups", "image_shape"});
  std::string gamma = "gamma_float";
  std::string beta = "beta_float";
  body("gamma_float", "Cast", {"gamma"}, {{"to", 1}});
  body("beta_float", "Cast", {"beta"}, {{"to", 1}});
  std::string normal = "normal";
  if (channels_last) {
    normal = body.transpose(normal, {0, 2, 3, 1}, "channels_last");
  } else {
    gamma = body.reshape(gamma, {-1, 1, 1}, "gamma_channels");
    beta = body.reshape(beta, {-1, 1, 1}, "beta_channels");
  }
  body("scaled", "Mul", {normal, gamma});
  body("shifted", "Add", {"scaled", beta});
  std::string result = "shifted";
  if (activation == 1) {
    body("gate", "Sigmoid", {"shifted"});
    body("active", "Mul", {"shifted", "gate"});
    result = "active";
  }
  body("Y", "CastLike", {result, "X"});
}

}  // namespace onnx_lower

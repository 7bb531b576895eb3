// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Convolutions along one or two axes by kernels of nine elements as convolutions along three axes,
// for OpenCV, which takes any nine elements for the 3 x 3 that it has a loop of its own for:
//
//     Conv (x, w) = Squeeze (Conv (Unsqueeze (x), Unsqueeze (w)))

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_three_axes {
namespace {

constexpr int most_axes = 3;

Lowering lower(const CallSite& site) {
  const int axes = site.need_rank(1) - 2;
  if (axes < 1 || axes >= most_axes) return Declined{"it does not go along one axis or two", {}, true};
  int64_t elements = 1;
  for (int axis = 0; axis < axes; ++axis) elements *= std::min<int64_t>(site.need_dim(1, axis + 2), 10);
  if (elements != 9) return Declined{"its kernel has not nine elements", {}, true};
  if (site.attribute_string("auto_pad", "NOTSET") != "NOTSET") return Declined{"it does not say its padding"};

  const auto own = static_cast<size_t>(axes), added = static_cast<size_t>(most_axes - axes);
  const auto behind_ones = [&](std::string_view name) {
    Ints values(added, 1);
    for (const int64_t value : site.attribute_ints(name, Ints(own, 1))) values.push_back(value);
    if (values.size() != own + added) decline(std::string(name) + " is not a number for each axis");
    return values;
  };
  Ints pads = site.attribute_ints("pads", Ints(2 * own, 0));
  if (pads.size() != 2 * own) return Declined{"pads are not two numbers for each axis"};
  pads.insert(pads.begin() + axes, added, 0);
  pads.insert(pads.begin(), added, 0);
  Ints kernel(added, 1), places;
  for (int axis = 0; axis < axes; ++axis) kernel.push_back(site.need_dim(1, axis + 2));
  for (int axis = axes; axis < most_axes; ++axis) places.push_back(2 + axis - axes);

  std::vector<std::string> inputs = first_names({"X", "W", "B"}, site.input_count());
  Body body("ai.onnx", "Conv", inputs, {"Y"}, 13);
  for (const size_t input : {size_t{0}, size_t{1}}) inputs[input] = body.unsqueeze(inputs[input], places);
  body("volume", "Conv", inputs,
       {{"dilations", behind_ones("dilations")},
        {"group", site.attribute_int("group", 1)},
        {"kernel_shape", kernel},
        {"pads", pads},
        {"strides", behind_ones("strides")}});
  body("Y", "Squeeze", {"volume", body.ints(places, "places")});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Conv",
                      .summary = "Along three axes, for a runtime that takes any nine elements for 3 x 3.",
                      .source = "ONNX Conv-11, Conv-22",
                      .attributes = "auto_pad, dilations, group, kernel_shape, pads, strides",
                      .turn = RuleTurn::last_resort,
                      .makes_it_anew = true,
                      .needed_inputs = 2,
                      .most_inputs = 3,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_three_axes

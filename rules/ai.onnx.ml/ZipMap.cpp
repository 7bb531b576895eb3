// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_ml_ZipMap {
namespace {

Lowering lower(const CallSite& site) {
  if (site.is_read_by_others(0, {})) {
    return Declined{fmt::format(
        "its output is used, a list of maps, of which ai.onnx has none; export the model without it (skl2onnx: "
        "options={{'zipmap': False}}, onnxmltools: zipmap=False), or make '{}', which it takes, an output of the model "
        "in the place of '{}'",
        site.node().input(0), site.node().output(0))};
  }
  // Nothing reads what stands for the maps.
  Body body("ai.onnx.ml", "ZipMap", {"X"}, {"Z"}, 13);
  body("Z", "Identity", {"X"});
  return std::move(body).function();
}

const NativeRule rule{.domain = "ai.onnx.ml",
                      .op_type = "ZipMap",
                      .summary = "Nothing, where nothing uses its maps.",
                      .source = "ai.onnx.ml ZipMap-1",
                      .attributes = "classlabels_int64s, classlabels_strings",
                      .inputs = "X",
                      .needed_inputs = 1,
                      .most_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_ml_ZipMap

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "families/group_norm.h"

namespace onnx_lower::native_rules::com_microsoft_SkipGroupNorm {
namespace {

// Y = GroupNorm(S), S = X + skip + bias
Lowering lower(const CallSite& site) {
  const bool channels_last = site.attribute_int("channels_last", 1) != 0;
  const int rank = site.need_rank(3);
  Body body("com.microsoft", "SkipGroupNorm", first_names({"X", "gamma", "beta", "skip", "bias"}, site.input_count()),
            first_names({"Y", "S"}, site.output_count()), 18);
  std::string skip = "skip";
  if (rank == 2)
    skip = body.unsqueeze(skip, channels_last ? std::vector<int64_t>{1, 2} : std::vector<int64_t>{2, 3}, "skip_image");
  const std::string sum = site.has_output(1) ? "S" : "sum";
  body(site.has_input(4) ? "skipped" : sum, "Add", {"X", skip});
  if (site.has_input(4)) {
    const std::string bias = channels_last ? "bias" : body.reshape("bias", {-1, 1, 1}, "bias_channels");
    body(sum, "Add", {"skipped", bias});
  }
  append_group_norm(site, body, sum);
  return body.function();
}

const NativeRule rule{.domain = "com.microsoft",
                      .op_type = "SkipGroupNorm",
                      .summary = "Group normalization of X + skip + bias; the sum is the second output.",
                      .source = "ONNX Runtime's contrib operator SkipGroupNorm",
                      .attributes = "activation, channels_last, epsilon, groups",
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::com_microsoft_SkipGroupNorm

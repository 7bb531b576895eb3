// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "lowering/newer_opset.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "legalizer/opset_trials.h"
#include "lowering/grown_nodes.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// How many times as many nodes as at the newer opset are worth another opset for the whole model.
constexpr size_t worth_an_opset = 10;

std::optional<LoweredModel> lowered_at(int64_t opset, const LoweredModel& before, RuleLibrary& library,
                                       LegalizeOptions options) {
  options.target_opset = static_cast<int>(opset);
  options.shows_rewrites = true;  // which operators the result has is counted only then
  std::optional<LoweredModel> again = legalized_again(before, library, options);
  if (again && !again->result.unlowered.empty()) again.reset();
  return again;
}

// The first node that becomes a tenth in `there`; null where none does, or the model becomes
// larger.
const LoweredNode* far_fewer(const std::vector<const LoweredNode*>& grown, const LoweredModel& before,
                             const LoweredModel& there) {
  if (there.result.nodes_after > before.result.nodes_after) return nullptr;
  const auto found = std::ranges::find_if(grown, [&](const LoweredNode* node) {
    return nodes_made_there(*node, there.result) * worth_an_opset <= node->nodes_made;
  });
  return found == grown.end() ? nullptr : *found;
}

// The oldest opset that has all standard operators of the lowered model.
int64_t oldest_opset_with_operators(const LoweredModel& lowered, int64_t first, int64_t last) {
  int64_t oldest = first;
  for (const auto& [name, count] : lowered.result.after.operators) {
    const std::string_view op_type = std::string_view(name).substr(name.find("::") + 2);
    if (!name.starts_with("ai.onnx::")) continue;
    while (oldest < last && find_operator("", op_type, last) != nullptr &&
           find_operator("", op_type, oldest) == nullptr)
      ++oldest;
  }
  return oldest;
}

// At the oldest opset at which weights stay in as few bits as they are stored in, if there is one.
std::optional<LoweredModel> with_small_weights(const LoweredModel& before, RuleLibrary& library,
                                               const LegalizeOptions& options) {
  const WidenedWeights& widened = before.result.widened_weights;
  if (widened.products == 0 || !newer_opsets_of_targets(before.model, options).contains(widened.opset))
    return std::nullopt;
  std::optional<LoweredModel> there = lowered_at(widened.opset, before, library, options);
  if (!there || there->result.widened_weights.products != 0) return std::nullopt;
  there->result.warnings.other_opset = {.opset = widened.opset,
                                        .node = widened.node,
                                        .op_type = widened.op_type,
                                        .opset_before = static_cast<int>(before.model.opset("")),
                                        .weight_bits = widened.bits};
  return there;
}

}  // namespace

std::optional<LoweredModel> at_newer_opset(const LoweredModel& before, RuleLibrary& library,
                                           const LegalizeOptions& options) {
  if (std::optional<LoweredModel> there = with_small_weights(before, library, options)) return there;
  const std::vector<const LoweredNode*> grown = grown_nodes(before.result);
  if (grown.empty() || !before.result.unlowered.empty()) return std::nullopt;
  const VersionRange newer = newer_opsets_of_targets(before.model, options);
  // The newest opset has most operators; but a target may take them in older versions only.
  int64_t tried = 0;
  for (const int64_t opset : {newer.last, int64_t{21}, int64_t{18}, int64_t{16}}) {
    if (!newer.contains(opset) || opset == std::exchange(tried, opset)) continue;
    std::optional<LoweredModel> there = lowered_at(opset, before, library, options);
    const LoweredNode* fewer = there ? far_fewer(grown, before, *there) : nullptr;
    if (fewer == nullptr) continue;
    int64_t written = oldest_opset_with_operators(*there, newer.first, opset);
    std::optional<LoweredModel> at_oldest =
        written == opset ? std::nullopt : lowered_at(written, before, library, options);
    if (const LoweredNode* at_oldest_fewer = at_oldest ? far_fewer(grown, before, *at_oldest) : nullptr) {
      fewer = at_oldest_fewer;
      there = std::move(at_oldest);
    } else {
      written = opset;
    }
    there->result.warnings.other_opset = {.opset = static_cast<int>(written),
                                          .node = std::string(fewer->node),
                                          .op_type = std::string(fewer->op_type),
                                          .opset_before = static_cast<int>(before.model.opset("")),
                                          .made_before = fewer->nodes_made,
                                          .made = nodes_made_there(*fewer, there->result)};
    return there;
  }
  return std::nullopt;
}

}  // namespace onnx_lower

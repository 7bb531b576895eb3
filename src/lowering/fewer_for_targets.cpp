// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "lowering/fewer_for_targets.h"

#include <new>

#include "domain.h"
#include "error.h"
#include "lowering/grown_nodes.h"
#include "model_file/read_model.h"

namespace onnx_lower {
namespace {

// How many times as many nodes as for the target are worth a note.
constexpr size_t worth_telling = 4;

// Takes out of `grown` those of which `there`, the result for the target, has far fewer nodes.
void move_fewer(std::vector<const LoweredNode*>& grown, const LegalizeResult& there, const char* target,
                std::vector<FewerNodes>& fewer) {
  std::erase_if(grown, [&](const LoweredNode* node) {
    const size_t made_there = nodes_made_there(*node, there);
    if (made_there * worth_telling > node->nodes_made) return false;
    fewer.push_back({operator_name(node->domain, node->op_type), node->nodes_made, target, made_there});
    return true;
  });
}

}  // namespace

std::vector<FewerNodes> fewer_for_targets(const LoweredModel& lowered, RuleLibrary& library,
                                          const LegalizeOptions& options) {
  std::vector<FewerNodes> fewer;
  std::vector<const LoweredNode*> grown = grown_nodes(lowered.result);
  for (const char* target : {"onnxruntime", "openvino"}) {
    if (grown.empty()) break;
    LegalizeOptions for_target = options;
    for_target.targets = {find_target(target)};
    for_target.shows_rewrites = false;
    try {
      LoweredModel there = checked(read_model(lowered.model.input().shared()));
      lower(there, library, for_target);
      if (there.result.unlowered.empty()) move_fewer(grown, there.result, target, fewer);
    } catch (const Error&) {
      // The runtime takes no such model.
    } catch (const std::bad_alloc&) {
      // What is written needed less.
    }
  }
  return fewer;
}

}  // namespace onnx_lower

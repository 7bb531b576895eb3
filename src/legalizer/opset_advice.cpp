// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/opset_advice.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "error.h"
#include "legalizer/legalizer.h"
#include "model_file/read_model.h"

namespace onnx_lower {
namespace {

// What is larger is not read again for a piece of advice.
constexpr size_t largest_model = size_t{1} << 28;
constexpr int most_trials = 4;

using NodeName = std::pair<std::string, std::string>;  // and its operator's

NodeName name_of(const UnloweredNode& node) { return {node.node, node.op_type}; }

int highest_advice(const LegalizeResult& result, const std::set<NodeName>& hopeless) {
  int highest = 0;
  for (const UnloweredNode& node : result.unlowered) {
    if (!hopeless.contains(name_of(node))) highest = std::max(highest, node.target_opset_hint);
  }
  return highest;
}

}  // namespace

void settle_opset_advice(const Model& model, RuleLibrary& library, const LegalizeOptions& options,
                         LegalizeResult& result) {
  std::set<NodeName> hopeless;
  const int64_t highest_taken = common_opsets(options.targets, "").last;
  for (UnloweredNode& node : result.unlowered) {
    if (node.target_opset_hint > highest_taken) node.target_opset_hint = 0;
  }
  for (const UnloweredNode& node : result.unlowered) {
    if (node.target_opset_hint == 0) hopeless.insert(name_of(node));
  }
  int settled = 0;
  int advised = highest_advice(result, hopeless);
  if (advised == 0 || model.input().bytes().size() > largest_model) return;
  for (int trial = 0; trial < most_trials && advised != 0; ++trial) {
    LegalizeOptions with_advice = options;
    with_advice.target_opset = advised;
    try {
      Model again = read_model(InputFile::from_bytes(model.input().path(), std::string(model.input().bytes())));
      const LegalizeResult lowered = legalize(again, library, with_advice);
      const bool leads = std::ranges::all_of(
          lowered.unlowered, [&](const UnloweredNode& node) { return hopeless.contains(name_of(node)); });
      if (leads) settled = advised;
      const int next = leads ? 0 : highest_advice(lowered, hopeless);
      advised = next > advised ? next : 0;
    } catch (const Error&) {
      advised = 0;
    }
  }
  for (UnloweredNode& node : result.unlowered) {
    if (node.target_opset_hint != 0) node.target_opset_hint = settled;
  }
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/before/version_choice.h"

#include <algorithm>
#include <memory>

#include "legalizer/knowledge/model_functions.h"
#include "legalizer/legality/node_facts.h"
#include "standard_operators/onnx_releases.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

bool is_refused(const Targets& targets, const OperatorVersion& version) {
  return std::ranges::any_of(targets, [&](const std::shared_ptr<const TargetFile>& target) {
    return target->refuses("", version.name, &version, false);
  });
}

// The newest of `opsets` up to `opset` at which the targets take those operators of the model that
// no rule lowers: ONNX Runtime 1.31 takes RoiAlign of opset 16, and not that of opset 22.
int64_t opset_with_operators(const Model& model, RuleLibrary& library, const Targets& targets, VersionRange opsets,
                             int64_t opset) {
  int64_t found = opset;
  for (OperatorId op = 0; op < model.operator_count(); ++op) {
    const Operator& named = model.op(op);
    if (!named.domain.empty()) continue;
    const OperatorVersion* version = find_operator("", named.op_type, found);
    if (version == nullptr || !is_refused(targets, *version)) continue;
    if (!library.forms("", named.op_type).empty() || library.native("", named.op_type) != nullptr) continue;
    while (version != nullptr && is_refused(targets, *version))
      version = find_operator("", named.op_type, version->since_version - 1);
    if (version == nullptr) continue;
    int64_t newest = found;
    while (newest > version->since_version && find_operator("", named.op_type, newest) != version) --newest;
    if (opsets.contains(newest)) found = newest;
  }
  return found;
}

// The versions of ai.onnx at which all targets take this model. A condition that may hold counts as
// one that does.
VersionRange opsets_for(const Model& model, const Targets& targets) {
  VersionRange opsets = common_opsets(targets, "");
  for (const std::shared_ptr<const TargetFile>& target : targets) {
    for (const OpsetsOfModels& some : target->opsets_where) {
      if (some.condition.fails(ModelFacts(model))) continue;
      opsets.first = std::max(opsets.first, some.versions.first);
      opsets.last = std::min(opsets.last, some.versions.last);
    }
  }
  return opsets;
}

}  // namespace

int64_t wanted_ir_version(const Model& model, const LegalizeOptions& options) {
  if (options.ir_version) return *options.ir_version;
  const OnnxRelease* brought = options.target_opset ? release_with_opset(*options.target_opset) : nullptr;
  return brought == nullptr ? model.ir_version : std::min(model.ir_version, brought->ir_version);
}

bool asks_for_the_opset_it_has(const Model& model, const LegalizeOptions& options) {
  return options.target_opset && *options.target_opset == model.opset("") &&
         wanted_ir_version(model, options) == model.ir_version;
}

VersionRange opsets_of_targets(const Model& model, const LegalizeOptions& options) {
  VersionRange opsets = opsets_for(model, options.targets);
  if (!options.is_lowered) return opsets;
  const VersionRange lowered = common_opsets_of_lowered(options.targets);
  const VersionRange both{std::max(opsets.first, lowered.first), std::min(opsets.last, lowered.last)};
  return both.is_empty() ? opsets : both;
}

LegalizeOptions with_versions_of_targets(const Model& model, RuleLibrary& library, LegalizeOptions options) {
  if (options.targets.empty()) return options;
  const VersionRange opsets = opsets_of_targets(model, options);
  const int64_t own = model.opset("");
  if (!options.target_opset && !opsets.is_empty() && own != 0) {
    const int64_t nearest = std::clamp(own, opsets.first, opsets.last);
    const int64_t wanted = opset_with_operators(model, library, options.targets, opsets, nearest);
    if (wanted != own) options.target_opset = wanted;
  }
  const VersionRange ir_versions = common_ir_versions(options.targets);
  const int64_t wanted = wanted_ir_version(model, options);
  if (!options.ir_version && !ir_versions.is_empty() && wanted > ir_versions.last)
    options.ir_version = ir_versions.last;
  return options;
}

std::vector<OpsetImport> target_opsets(const Model& model, const LegalizeOptions& options) {
  std::vector<OpsetImport> opsets = model.opset_imports;
  const OnnxRelease& release = newest_release_of_ir(model.ir_version);
  if (version_of(opsets, "") == 0) opsets.push_back({"", release.opset});
  if (version_of(opsets, "ai.onnx.ml") == 0) opsets.push_back({"ai.onnx.ml", release.ml_opset});
  if (options.target_opset) {
    for (OpsetImport& import : opsets) {
      if (import.domain().empty()) import = {import.domain(), *options.target_opset};
    }
    // Which of several imports of ai.onnx counted makes no difference any more.
    const auto first = std::ranges::find(opsets, "", &OpsetImport::domain);
    opsets.erase(std::remove(first + 1, opsets.end(), *first), opsets.end());
  }
  for (OpsetImport& import : opsets) {
    if (import.domain().empty()) continue;
    const int64_t last = common_opsets(options.targets, import.domain()).last;
    if (import.version() > last && last > 0) import = {import.domain(), last};
  }
  return opsets;
}

}  // namespace onnx_lower

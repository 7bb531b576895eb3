// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/after/opset_imports.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "legalizer/after/ir_version.h"
#include "legalizer/knowledge/model_functions.h"
#include "legalizer/legality/node_facts.h"
#include "model_file/encode_model.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

bool imports_domain(const std::vector<OpsetImport>& imports, std::string_view domain) {
  return std::ranges::find(imports, domain, &OpsetImport::domain) != imports.end();
}

bool is_refused(const Targets& targets, const OperatorVersion& version) {
  return std::ranges::any_of(targets, [&](const std::shared_ptr<const TargetFile>& target) {
    return target->refuses("", version.name, &version, false);
  });
}

// The newest of `opsets` up to `opset` at which the targets have those operators of the model that
// no rule says in others: ONNX Runtime 1.31 takes the RoiAlign of opset 16, and not that of 22.
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

// The versions of ai.onnx with which all targets take this model. Where it is not known whether a
// condition holds, it had better be kept to.
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

LegalizeOptions with_versions_of_targets(const Model& model, RuleLibrary& library, LegalizeOptions options) {
  if (options.targets.empty()) return options;
  VersionRange opsets = opsets_for(model, options.targets);
  if (options.is_lowered) {
    const VersionRange lowered = common_opsets_of_lowered(options.targets);
    const VersionRange both{std::max(opsets.first, lowered.first), std::min(opsets.last, lowered.last)};
    if (!both.is_empty()) opsets = both;
  }
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
  }
  for (OpsetImport& import : opsets) {
    if (import.domain().empty() || !is_standard_domain(import.domain())) continue;
    const int64_t last = common_opsets(options.targets, import.domain()).last;
    if (import.version() > last && last > 0) import = {import.domain(), last};
  }
  return opsets;
}

void follow_model_opsets(std::vector<OpsetImport>& imports, const std::vector<OpsetImport>& before,
                         const std::vector<OpsetImport>& now) {
  for (OpsetImport& import : imports) {
    if (!is_standard_domain(import.domain())) continue;
    const auto was = std::ranges::find(before, import.domain(), &OpsetImport::domain);
    const auto is = std::ranges::find(now, import.domain(), &OpsetImport::domain);
    if (was != before.end() && is != now.end() && was->version() != is->version())
      import = {import.domain(), is->version()};
  }
}

void write_imports(Model& model, Function& function, std::vector<OpsetImport> imports) {
  if (imports == function.opset_imports) return;
  replace_fields(function.body, [](const WireField& field) {
    return field.tag == delimited_tag(field::Function::opset_import) ? Bytes() : field.whole;
  });
  std::string fields;
  for (const OpsetImport& import : imports) append_opset_import(fields, field::Function::opset_import, import);
  function.body.pieces.push_back({GraphPiece::Kind::verbatim, model.keep(fields), {}});
  function.opset_imports = std::move(imports);
}

void complete_imports(Model& model, Function& function, const OpsetContexts& contexts, OpsetContext target) {
  if (!function.body.changed || function.opset_imports.empty()) return;
  std::unordered_set<std::string_view> used;
  for_each_node(function.body, [&](const Node& node) { used.insert(model.op(node.op).domain); });
  std::string fields;
  const auto add_missing = [&](std::span<const OpsetImport> known) {
    for (const OpsetImport& import : known) {
      if (!used.contains(import.domain()) || imports_domain(function.opset_imports, import.domain())) continue;
      function.opset_imports.push_back({import.domain(), import.version()});
      append_opset_import(fields, field::Function::opset_import, import);
    }
  };
  add_missing(contexts.standard(target));
  add_missing(model.opset_imports);
  add_missing(contexts.noted());
  if (!fields.empty()) function.body.pieces.push_back({GraphPiece::Kind::verbatim, model.keep(fields), {}});
}

std::vector<std::string> update_opset_imports(Model& model, const std::vector<OpsetImport>& opsets,
                                              const OpsetContexts& contexts, bool drops_standard) {
  std::vector<bool> seen(model.operator_count(), false);
  std::unordered_set<std::string_view> used;
  const auto use = [&](const Node& node) {
    if (!seen[node.op]) used.insert(model.op(node.op).domain);
    seen[node.op] = true;
  };
  for_each_node(model.graph, use);
  for (const Graph& graph : model.training_graphs) for_each_node(graph, use);
  for (const Function& function : model.functions) {
    if (!function.dropped) for_each_node(function.body, use);
  }
  std::vector<OpsetImport> kept;
  std::vector<std::string> dropped;
  std::unordered_set<std::string_view> was_imported;
  for (const OpsetImport& import : model.opset_imports) was_imported.insert(import.domain());
  for (const OpsetImport& import : opsets) {
    const bool imported = was_imported.contains(import.domain());
    // Older runtimes refuse a version of ai.onnx.ml that they do not know, whoever uses it.
    const bool stays = import.domain().empty() || (is_standard_domain(import.domain()) && !drops_standard);
    if (used.contains(import.domain()) || (imported && stays)) {
      kept.push_back(import);
    } else if (imported) {
      dropped.emplace_back(import.domain());
    }
  }
  std::unordered_set<std::string_view> is_kept;
  for (const OpsetImport& import : kept) is_kept.insert(import.domain());
  for (const OpsetImport& import : contexts.noted()) {
    if (used.contains(import.domain()) && is_kept.insert(import.domain()).second) kept.push_back(import);
  }
  if (kept != model.opset_imports) {
    model.opset_imports = std::move(kept);
    model.opset_imports_changed = true;
  }
  return dropped;
}

}  // namespace onnx_lower

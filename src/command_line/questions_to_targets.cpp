// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/questions_to_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "available_cpus.h"
#include "command_line/commands.h"
#include "lowering/judge_targets.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

// Of larger models, targets are asked where the user asks that.
constexpr size_t most_nodes = 1000;

// Whether the run, which lowers one model, may ask targets of which the user says nothing.
bool may_ask(const Options& options, size_t nodes) {
  return options.task == Task::lower && !options.check_only && options.verbosity != Verbosity::quiet &&
         nodes <= most_nodes;
}

// What all targets say.
std::vector<TargetVerdict> ask_all(const Options& options, const Model& model, const LegalizeOptions& legalize) {
  // Of a small model, a thread takes longer to begin than a target to judge. Of many models, each
  // has a process.
  constexpr size_t few_nodes = 200;
  const bool is_worth_threads = options.task == Task::lower && model.node_count() > few_nodes;
  return judge_all(
      model, [&] { return library_for(options); }, legalize, is_worth_threads ? available_cpus() : 1);
}

}  // namespace

std::string name_of_targets(const Options& options) {
  const Targets targets = runtimes_of(options.legalize.targets);
  if (targets.empty()) return std::string(any_target);
  return targets.size() == 1 ? targets.front()->name : "all of these";
}

std::vector<TargetVerdict> verdicts_of(const Options& options, const Model& model, RuleLibrary& library,
                                       const TargetVerdict& own) {
  const Targets asked = runtimes_of(options.legalize.targets);
  LegalizeOptions legalize = options.legalize;
  if (asked.empty()) {
    legalize.until = options.check_only ? LegalizeOptions::Until::refusal : LegalizeOptions::Until::change;
    return ask_all(options, model, legalize);
  }
  if (asked.size() == 1) return {own};
  std::vector<TargetVerdict> verdicts;
  for (const std::shared_ptr<const TargetFile>& target : asked)
    verdicts.push_back(judge(model, target, library, legalize));
  verdicts.push_back(own);
  return verdicts;
}

bool tells_where_it_runs(const Options& options, const LegalizeResult& result) {
  return may_ask(options, result.nodes_before) && runtimes_of(options.legalize.targets).empty() &&
         result.lowered.empty() && result.kept_for_kernels.empty() && result.unlowered.empty() && result.folded.empty();
}

std::optional<std::vector<std::string>> where_else_it_runs(const Options& options, const Model& model) {
  if (!may_ask(options, model.node_count()) || !options.rule_paths.empty() ||
      runtimes_of(options.legalize.targets).empty())
    return std::nullopt;
  LegalizeOptions legalize = options.legalize;
  legalize.targets = restrictions_of(options.legalize.targets);
  legalize.until = LegalizeOptions::Until::refusal;
  std::vector<TargetVerdict> verdicts = ask_all(options, model, legalize);
  // clang 14 does not read what the algorithm of std::ranges returns.
  std::stable_partition(verdicts.begin(), verdicts.end(),
                        [](const TargetVerdict& verdict) { return verdict.kind == TargetVerdict::Kind::as_it_is; });
  std::vector<std::string> names;
  for (const TargetVerdict& verdict : verdicts) {
    if (verdict.kind != TargetVerdict::Kind::refused) names.push_back(verdict.target);
  }
  return names;
}

bool tells_of_targets(const Options& options, const LegalizeResult& result) {
  return may_ask(options, result.nodes_before) && options.legalize.targets.empty() && !options.legalize.attaches() &&
         !options.legalize.target_opset;
}

std::string where_it_would_run(const Model& model, RuleLibrary& library, LegalizeOptions options,
                               const std::vector<TargetVerdict>& verdicts) {
  options.until = LegalizeOptions::Until::refusal;
  for (const std::string_view name : {"onnxruntime", "openvino"}) {
    const std::shared_ptr<const TargetFile> target = find_target(std::string(name));
    const auto own = std::ranges::find(verdicts, target->name, &TargetVerdict::target);
    if (own == verdicts.end() || own->kind == TargetVerdict::Kind::as_it_is) return {};
    if (judge(model, target, library, options).kind == TargetVerdict::Kind::after_lowering)
      return fmt::format("note: {0} does not take it, or not as well, as it is; --target {1} writes what {0} takes\n",
                         target->name, name);
  }
  return {};
}

}  // namespace onnx_lower

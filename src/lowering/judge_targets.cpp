// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "lowering/judge_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <new>
#include <utility>

#include "error.h"
#include "model_file/encode_model.h"
#include "model_file/read_model.h"
#include "report/warnings.h"

namespace onnx_lower {
namespace {

// Whether the model that would be written has the bytes of its input. What still lies there is not
// compared: it may be gigabytes of weights.
bool has_bytes_of_input(Model& model) {
  const Bytes input = model.wire;
  size_t begin = 0;
  for (const Bytes range : encode_model(model).ranges) {
    if (range.size() > input.size() - begin) return false;
    const Bytes there = input.substr(begin, range.size());
    if (range.data() != there.data() && range != there) return false;
    begin += range.size();
  }
  return begin == input.size();
}

// Whether the targets take the model that was read: nothing is written otherwise but imports that
// nothing uses.
bool is_as_it_was(LoweredModel& lowered, const std::vector<OpsetImport>& imports) {
  const LegalizeResult& result = lowered.result;
  Model& model = lowered.model;
  if (!result.lowered.empty() || !result.folded.empty() || result.densified_initializers != 0) return false;
  if (!model.changed() || has_bytes_of_input(model)) return true;
  const bool is_untouched = !model.graph.changed && !model.ir_version_changed &&
                            std::ranges::none_of(model.functions, [](const Function& function) {
                              return function.added || function.body.changed;
                            });
  return is_untouched && std::ranges::all_of(model.opset_imports, [&](const OpsetImport& import) {
           return import.version() == version_of(imports, import.domain());
         });
}

}  // namespace

TargetVerdict verdict_of(LoweredModel& lowered, const std::string& name, const std::vector<OpsetImport>& imports) {
  const LegalizeResult& result = lowered.result;
  TargetVerdict verdict;
  verdict.target = name;
  verdict.nodes_before = verdict.nodes_after = result.nodes_before;
  verdict.unlowered = result.unlowered;
  if (!verdict.unlowered.empty()) return verdict;
  const bool is_same = is_as_it_was(lowered, imports);
  verdict.kind = is_same ? TargetVerdict::Kind::as_it_is : TargetVerdict::Kind::after_lowering;
  verdict.nodes_after = result.nodes_after;
  verdict.warnings = warnings_of(result);
  for (const std::string& op : result.kept_for_kernels)
    verdict.warnings.push_back(fmt::format("it runs only with a kernel for {}", op));
  return verdict;
}

TargetVerdict refused_whole(const std::string& target, const Model& model, const std::string& problem) {
  TargetVerdict verdict;
  verdict.target = target;
  verdict.nodes_before = verdict.nodes_after = model.node_count();
  verdict.problem = problem;
  return verdict;
}

TargetVerdict judge(const Model& model, const std::shared_ptr<const TargetFile>& target, RuleLibrary& library,
                    LegalizeOptions options) {
  Targets targets = restrictions_of(options.targets);
  targets.insert(targets.begin(), target);
  options.targets = std::move(targets);
  options.shows_rewrites = false;
  options.fold |= options.fixes_inputs();
  if (!target->takes_functions) {
    options.attach_all = false;
    options.attached.clear();
  }
  try {
    LoweredModel lowered = checked(read_model(model.input().shared()));
    const std::vector<OpsetImport> imports = lowered.model.opset_imports;
    lower(lowered, library, options);
    return verdict_of(lowered, target->name, imports);
  } catch (const Error& error) {
    return refused_whole(target->name, model, error.what());
  } catch (const std::bad_alloc&) {
    // A run that asks beside what it writes does not end by that.
    return refused_whole(target->name, model, "there is not enough memory to find out");
  }
}

std::vector<TargetVerdict> judge_all(const Model& model, const std::function<RuleLibrary()>& new_library,
                                     const LegalizeOptions& options, int threads) {
  const std::vector<std::string> names = built_in_target_names();
  std::vector<TargetVerdict> verdicts(names.size());
  std::atomic<size_t> next = 0;
  const auto judge_some = [&] {
    RuleLibrary library = new_library();
    for (size_t index = next++; index < names.size(); index = next++)
      verdicts[index] = judge(model, find_target(names[index]), library, options);
  };
  // A target of the options would be asked by several threads, and reads its lines when asked.
  const bool may_share = options.targets.empty();
  std::vector<std::future<void>> others;
  for (int thread = 1; thread < threads && may_share; ++thread)
    others.push_back(std::async(std::launch::async, judge_some));
  judge_some();
  for (std::future<void>& other : others) other.get();
  return verdicts;
}

}  // namespace onnx_lower

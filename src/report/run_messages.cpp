// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/run_messages.h"

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/setting_advice.h"
#include "report/summary.h"
#include "report/target_table.h"
#include "report/unlowered_message.h"
#include "report/verify_message.h"
#include "report/warnings.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

// Warns of options that override what --target implies, as its runtime may not read the result.
void warn_of_overrides(const std::string& input, const LegalizeOptions& options, const Colors& colors) {
  const auto warn = [&](const TargetFile& target, std::string_view option, int64_t value, const VersionRange& taken) {
    if (taken.contains(value)) return;
    const bool is_open = taken.last == std::numeric_limits<int64_t>::max();
    print_warning(colors,
                  fmt::format("{}: {} {} is written, and {} takes {} {} only", input, option, value, target.name,
                              taken.first, is_open ? "and above" : fmt::format("to {}", taken.last)));
  };
  for (const std::shared_ptr<const TargetFile>& target : runtimes_of(options.targets)) {
    const auto opsets = target->opsets.find("");
    if (options.target_opset && opsets != target->opsets.end())
      warn(*target, "--target-opset", *options.target_opset, opsets->second);
    if (options.ir_version) warn(*target, "--ir-version", *options.ir_version, target->ir_versions);
  }
}

// Where a model runs that the target of the run refuses.
std::string where_else(const std::vector<std::string>& targets, const std::string& input) {
  constexpr size_t most_names = 5;
  if (targets.empty()) return "no target that is known runs it\n";
  return fmt::format("it runs in {}: onnx-lower --check {}\n", first_named(targets, most_names), input);
}

}  // namespace

void print_run_messages(const Options& options, const RunReport& report, const Colors& colors) {
  const LegalizeResult& result = report.result;
  const std::string input = options.input == "-" ? "<stdin>" : options.input;
  const bool quiet = options.verbosity == Verbosity::quiet;
  if (!quiet || !options.allow_unlowered)
    print_message(unlowered_message(input, result, options.allow_unlowered, colors, options));
  if (quiet) return;
  if (report.runs_in) print_message(where_else(*report.runs_in, input));
  for (const std::string& setting : result.unused.settings) {
    const std::string similar = similar_place(setting, options.legalize.settings, result);
    print_warning(colors, fmt::format("{}: --set {} fits no node that is to be lowered{}", input, setting,
                                      similar.empty() ? "" : fmt::format("; is it {}?", similar)));
  }
  for (const std::string& pattern : result.unused.attachments) {
    print_warning(colors, fmt::format("{}: --attach={} fits no node that is to be lowered", input, pattern));
  }
  for (const std::string& pattern : report.unused_keeps)
    print_warning(colors, fmt::format("{}: --keep {} fits no node", input, pattern));
  if (result.unused.target_opset) {
    print_warning(colors, fmt::format("{}: --target-opset {} changes nothing: it is what the model imports", input,
                                      *options.legalize.target_opset));
  }
  warn_of_overrides(input, options.legalize, colors);
  for (const std::string& warning : warnings_of(result)) print_warning(colors, fmt::format("{}: {}", input, warning));
  if (report.status != ExitStatus::done && report.status != ExitStatus::needs_lowering) return;
  // The messages are printed in one piece. With many models, which are lowered at the same time,
  // each line begins with the model's name.
  const std::string before_lines = options.task == Task::lower_many ? input + ": " : "  ";
  print_message((options.verbosity == Verbosity::verbose ? lowered_lines(result, before_lines) : std::string()) +
                summary_line(input, result, options.output.empty(), report.milliseconds,
                             result.kept_for_kernels.empty() ? where_it_runs(report.verdicts) : std::string()) +
                report.where_it_would_run +
                (options.task == Task::lower ? cost_line(result, options.legalize.targets) : std::string()) +
                (options.task == Task::lower ? widened_line(result) : std::string()) + fewer_lines(report.fewer) +
                kept_lines(result) +
                (report.verified ? verify_message(input, options.output, *report.verified) : std::string()));
}

void print_verdicts(const Options& options, const RunReport& report) {
  if (options.json) {
    nlohmann::ordered_json targets = nlohmann::ordered_json::array();
    for (const TargetVerdict& verdict : report.verdicts) targets.push_back(as_json(verdict, options));
    const nlohmann::ordered_json all = {
        {"input", options.input}, {"exit_status", static_cast<int>(report.status)}, {"targets", targets}};
    print(all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  } else if (options.verbosity != Verbosity::quiet && options.report_path != "-") {
    print(target_table(options.input == "-" ? "<stdin>" : options.input, report.verdicts));
  }
}

std::vector<std::string> unused_keeps(const Model& model, const Options& options) {
  std::vector<std::string> unused;
  for (size_t i = 0; i < options.legalize.kept.size(); ++i) {
    const OperatorPattern& pattern = options.legalize.kept[i];
    bool fits = false;
    for (OperatorId id = 0; id < model.operator_count() && !fits; ++id)
      fits = pattern.fits(model.op(id).domain, model.op(id).op_type);
    if (!fits) unused.push_back(options.kept_texts[i]);
  }
  return unused;
}

}  // namespace onnx_lower

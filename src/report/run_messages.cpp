// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/run_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

#include "domain.h"
#include "report/summary.h"
#include "report/unlowered_message.h"
#include "targets/target_file.h"

namespace onnx_lower {
namespace {

// Prints one warning for all nodes of an operator for which the same was assumed.
void warn_of_assumptions(const std::string& input, const LegalizeResult& result, const Colors& colors) {
  struct Group {
    const LoweredNode* first;
    size_t nodes = 0;
  };
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Group> groups;
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.assumption.empty()) continue;
    Group& group =
        groups.try_emplace({lowered.domain, lowered.op_type, lowered.assumption}, Group{&lowered}).first->second;
    ++group.nodes;
  }
  for (const auto& [key, group] : groups) {
    const LoweredNode& first = *group.first;
    const std::string others = group.nodes == 1 ? "" : fmt::format(" and {} more", group.nodes - 1);
    print_warning(colors, fmt::format("{}: '{}'{} ({}): {}", input, first.node, others,
                                      operator_name(first.domain, first.op_type), first.assumption));
  }
}

std::string in_words(const Contradiction& found) {
  return fmt::format("'{}' is declared as {}, and its node makes {}, which counts", found.value, found.declared,
                     found.inferred);
}

std::string in_words(const DoubtfulNode& found) {
  return fmt::format("'{}' ({}) stays and comes out wrong in {}: {}", found.node, found.op, found.target, found.reason);
}

// Prints a warning for each of the first few, and one for the others, with their
// number and "more …".
template <typename Found>
void warn_of_each(const std::string& input, const std::vector<Found>& all, const Colors& colors,
                  std::string_view more) {
  constexpr size_t most = 5;
  for (size_t i = 0; i < std::min(all.size(), most); ++i)
    print_warning(colors, fmt::format("{}: {}", input, in_words(all[i])));
  if (all.size() > most) print_warning(colors, fmt::format("{}: {} more {}", input, all.size() - most, more));
}

void warn_of_floats(const std::string& input, const LegalizeResult& result, const Colors& colors) {
  for (const ComputedAsFloat& found : result.warnings.computed_as_float) {
    const std::string others = found.values == 1 ? "" : fmt::format(" and {} more", found.values - 1);
    print_warning(colors, fmt::format("{}: '{}'{} of type {}: {} computes as float, to about seven digits, and what is "
                                      "above 3.4e38 comes out as the largest float",
                                      input, found.value, others, found.element_type, found.target));
  }
}

// Warns of options that override what --target implies, as its runtime may not read the result.
void warn_of_overrides(const std::string& input, const LegalizeOptions& options, const Colors& colors) {
  const auto warn = [&](const TargetFile& target, std::string_view option, int64_t value, const VersionRange& taken) {
    if (taken.contains(value)) return;
    const bool is_open = taken.last == std::numeric_limits<int64_t>::max();
    print_warning(colors,
                  fmt::format("{}: {} {} is written, and {} takes {} {} only", input, option, value, target.name,
                              taken.first, is_open ? "and above" : fmt::format("to {}", taken.last)));
  };
  for (const std::shared_ptr<const TargetFile>& target : options.targets) {
    const auto opsets = target->opsets.find("");
    if (options.target_opset && opsets != target->opsets.end())
      warn(*target, "--target-opset", *options.target_opset, opsets->second);
    if (options.ir_version) warn(*target, "--ir-version", *options.ir_version, target->ir_versions);
  }
}

}  // namespace

void print_run_messages(const Options& options, const RunReport& report, const Colors& colors) {
  const LegalizeResult& result = report.result;
  const std::string input = options.input == "-" ? "<stdin>" : options.input;
  const bool quiet = options.verbosity == Verbosity::quiet;
  if (!quiet || !options.allow_unlowered)
    print_message(unlowered_message(input, result, options.allow_unlowered, colors, options));
  if (quiet) return;
  if (const OtherOpset& other = result.warnings.other_opset; other.opset != 0) {
    print_warning(colors, fmt::format("{}: opset {} is written, as '{}' ({}) cannot be lowered at the model's", input,
                                      other.opset, other.node, other.op_type));
  }
  for (const std::string& op : result.warnings.functions_beside_kernels) {
    print_warning(colors,
                  fmt::format("{}: the model has a function {}, which was taken; a runtime may take its own kernel "
                              "of that name, and compute something else",
                              input, op));
  }
  for (const std::string& setting : result.unused.settings) {
    print_warning(colors, fmt::format("{}: --set {} fits no node that is to be lowered", input, setting));
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
  warn_of_assumptions(input, result, colors);
  warn_of_each(input, result.warnings.contradictions, colors, "values are not as they are declared");
  warn_of_each(input, result.warnings.doubtful, colors, "nodes come out wrong in a target");
  warn_of_floats(input, result, colors);
  if (report.status != ExitStatus::done) return;
  // The messages are printed in one piece. With many models, which are lowered at the same time,
  // each line begins with the model's name.
  const std::string before_lines = options.task == Task::lower_many ? input + ": " : "  ";
  print_message((options.verbosity == Verbosity::verbose ? lowered_lines(result, before_lines) : std::string()) +
                summary_line(input, result, options.check_only, report.milliseconds));
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

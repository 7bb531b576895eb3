// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "counted.h"
#include "domain.h"
#include "report/finding_code.h"
#include "report/rule_list.h"
#include "rule_check/lint.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const VersionRange& range) {
  return range.last == VersionRange().last ? Json{range.first, nullptr} : Json{range.first, range.last};
}

std::string_view source_of(const TargetFile& target) { return target.from_documents ? "documents" : "probe"; }

Json as_json(const TargetFile& target) {
  Json opsets = Json::object();
  for (const auto& [domain, range] : target.opsets)
    opsets[std::string(shown_domain(domain))] = range.is_empty() ? Json() : as_json(range);
  return {{"name", target.name},
          {"title", target.title},
          {"opsets", opsets},
          {"ir_versions", as_json(target.ir_versions)},
          {"functions", target.takes_functions},
          {"static_shapes", target.only_static_shapes},
          {"ranked_shapes", target.only_known_ranks},
          {"filled_inputs", target.only_filled_inputs},
          {"declared_shapes", target.needs_shapes},
          {"source", source_of(target)}};
}

}  // namespace

RuleLibrary library_for(const Options& options) {
  RuleLibrary library;
  for (const std::string& path : options.rule_paths) library.add_user_rules(path);
  return library;
}

void list_rules(const Options& options) {
  const std::vector<RuleSummary> rules = library_for(options).list();
  print(options.json ? rules_as_json(rules) : rule_table(rules));
}

void show_rule(const Options& options) {
  RuleLibrary library = library_for(options);
  const std::string text = library.text(options.shown_domain, options.shown_op_type);
  if (text.empty()) {
    std::string advice;
    for (const std::string& name : library.similar_names(options.shown_domain, options.shown_op_type))
      advice += (advice.empty() ? "; there is " : ", ") + name;
    // A user's rule is known only if its file is given.
    if (options.rule_paths.empty()) advice += "; for a rule of yours add --rules FILE.onnxtxt";
    throw UsageError(
        fmt::format("there is no rule {}{}", operator_name(options.shown_domain, options.shown_op_type), advice));
  }
  print(text);
}

ExitStatus check_rules(const Options& options, const Colors& colors) {
  const LintReport report = check_rules(options.checked_paths);
  for (const LintFinding& finding : report.findings) print_error(colors, to_text(finding));
  const std::size_t findings = report.findings.size();
  if (options.verbosity != Verbosity::quiet) {
    print_message(fmt::format("{} with {}: {}\n", counted(report.files, "file"), counted(report.forms, "form"),
                              findings == 0 ? "nothing wrong" : counted(findings, "error")));
  }
  return findings == 0 ? ExitStatus::done : ExitStatus::invalid_input;
}

void list_targets(const Options& options) {
  const std::vector<TargetFile> targets = built_in_targets();
  if (options.json) {
    Json all = Json::array();
    for (const TargetFile& target : targets) all.push_back(as_json(target));
    print(all.dump(2) + "\n");
    return;
  }
  size_t width = 6;
  for (const TargetFile& target : targets) width = std::max(width, target.name.size());
  std::string table =
      fmt::format("{:<{}}  {:>5}  {:>3}  {:<9}  {}\n", "TARGET", width, "OPSET", "IR", "SOURCE", "RUNTIME");
  const auto newest = [](const VersionRange& range) {
    return range.last == VersionRange().last ? std::string("any") : fmt::format("{}", range.last);
  };
  for (const TargetFile& target : targets) {
    const auto opsets = target.opsets.find("");
    table += fmt::format("{:<{}}  {:>5}  {:>3}  {:<9}  {}\n", target.name, width,
                         opsets == target.opsets.end() ? "any" : newest(opsets->second), newest(target.ir_versions),
                         source_of(target), target.title);
  }
  print(table);
}

void explain(const Options& options) {
  const std::span<const FindingCode> codes = finding_codes();
  const auto found = std::ranges::find(codes, options.explained, &FindingCode::code);
  if (found == codes.end())
    throw UsageError(fmt::format("--explain {}: there is no such code; they are {} to {}", options.explained,
                                 codes.front().code, codes.back().code));
  print(fmt::format("{}: {}\n\n{}\n", found->code, found->title, found->explanation));
}

void show_target(const Options& options) { print(find_target(options.shown_target)->text); }

}  // namespace onnx_lower

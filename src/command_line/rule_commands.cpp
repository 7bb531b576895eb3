// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/rule_commands.h"

#include <fmt/format.h>

#include "counted.h"
#include "domain.h"
#include "report/rule_list.h"
#include "rule_check/lint.h"

namespace onnx_lower {

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
    // A rule of the user's is known only where its file is given.
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

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/rule_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "domain.h"
#include "rules/native_kernels.h"

namespace onnx_lower {
namespace {

bool has_kernel(const RuleSummary& rule) {
  return std::ranges::any_of(native_kernels(), [&](const NativeKernel& kernel) {
    return kernel.domain == normalized_domain(rule.domain) && kernel.op_type == rule.op_type;
  });
}

}  // namespace

std::string rule_table(const std::vector<RuleSummary>& rules) {
  using Row = std::array<std::string, 5>;
  std::vector<Row> rows = {{"OPERATOR", "FORMS", "FROM", "KERNEL", "SUMMARY"}};
  for (const RuleSummary& rule : rules) {
    const bool has_file = rule.origin == RuleOrigin::user && !rule.file.empty();
    rows.push_back({operator_name(normalized_domain(rule.domain), rule.op_type),
                    rule.native ? "C++" : std::to_string(rule.forms.size()),
                    has_file ? rule.file : std::string(name_of(rule.origin)), has_kernel(rule) ? "yes" : "",
                    rule.summary});
  }
  std::array<size_t, 4> widths{};
  for (const Row& row : rows) {
    for (size_t column = 0; column < widths.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  }
  std::string table;
  for (const Row& row : rows) {
    table += fmt::format("{:<{}}  {:>{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1], row[2],
                         widths[2], row[3], widths[3], row[4]);
  }
  return table;
}

std::string rules_as_json(const std::vector<RuleSummary>& rules) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const RuleSummary& rule : rules) {
    json.push_back({{"domain", rule.domain},
                    {"op_type", rule.op_type},
                    {"origin", name_of(rule.origin)},
                    {"native", rule.native},
                    {"kernel", has_kernel(rule)},
                    {"forms", rule.forms},
                    {"file", rule.file},
                    {"summary", rule.summary},
                    {"source", rule.source}});
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::map<std::string, std::string> rule_texts(RuleLibrary& library, const LegalizeResult& result) {
  std::map<std::string, std::string> texts;
  for (const Rewrite& rewrite : result.rewrites) {
    const size_t colons = rewrite.op.rfind("::");
    texts[rewrite.op] = library.text(rewrite.op.substr(0, colons), rewrite.op.substr(colons + 2));
  }
  return texts;
}

}  // namespace onnx_lower

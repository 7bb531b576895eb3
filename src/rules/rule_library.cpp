// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/rule_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "domain.h"
#include "rules/embedded_rules.h"
#include "rules/rule_file.h"
#include "rules/text/operator_names.h"
#include "rules/text/rule_text.h"
#include "spelling.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

const EmbeddedRule* find_embedded(std::string_view domain, std::string_view op_type) {
  const std::span<const EmbeddedRule> rules = embedded_rules();
  const auto name = [](const EmbeddedRule& rule) { return std::tie(rule.domain, rule.op_type); };
  const auto found = std::ranges::lower_bound(rules, std::tie(domain, op_type), {}, name);
  if (found == rules.end() || found->domain != domain || found->op_type != op_type) return nullptr;
  return &*found;
}

// A copy of the form for another name of its operator.
Form renamed(Form form, std::string_view domain, std::string_view op_type) {
  form.function.set_domain(std::string(domain));
  form.function.set_name(std::string(op_type));
  return form;
}

std::string signature_with_condition(const Form& form) {
  std::string text = signature(form);
  if (form.where) text += " where " + form.where->text();
  return text;
}

}  // namespace

// nullptr when there is no rule in text. No entry is made for such an operator: a model may have
// any number of them.
const RuleLibrary::Entry* RuleLibrary::find(std::string_view domain, std::string_view op_type) {
  const auto found = entries_.find({domain, op_type});
  if (found != entries_.end() && found->second.has_built_in) return &found->second;
  const EmbeddedRule* rule = find_embedded(domain, op_type);
  if (rule == nullptr) return found == entries_.end() ? nullptr : &found->second;
  Entry& result = entries_[{rule->domain, rule->op_type}];
  result.has_built_in = true;
  RuleText parsed = parse_rule_text(rule->text, std::string(rule->path), RuleOrigin::built_in);
  for (Form& form : parsed.forms)
    result.forms.push_back(&all_forms_.emplace_back(renamed(std::move(form), domain, op_type)));
  return &result;
}

void RuleLibrary::add_user_file(const std::string& path) {
  RuleFile& file = user_files_.emplace_back(read_user_rule_file(path));
  std::unordered_map<const Entry*, std::size_t> rule_of;  // of this file, by operator
  const auto add = [&](Form added) {
    const Form& form = all_forms_.emplace_back(std::move(added));
    Entry& entry = entries_[{form.function.domain(), form.function.name()}];
    entry.forms.insert(entry.forms.begin() + static_cast<std::ptrdiff_t>(entry.user_forms), &form);
    ++entry.user_forms;
    const auto [same, is_first] = rule_of.try_emplace(&entry, user_rules_.size());
    if (is_first) user_rules_.push_back({&file, {}});
    user_rules_[same->second].forms.push_back(&form);
  };
  for (const auto& [domain, op_type] : file.rules.also) {
    for (const Form& form : file.rules.forms) add(renamed(form, domain, op_type));
  }
  for (Form& form : file.rules.forms) add(std::move(form));
  file.rules.forms.clear();
}

void RuleLibrary::add_user_rules(const std::string& path) {
  for (const std::string& file : rule_files_at(path)) add_user_file(file);
}

std::span<const Form* const> RuleLibrary::forms(std::string_view domain, std::string_view op_type) {
  const Entry* found = find(normalized_domain(domain), op_type);
  return found == nullptr ? std::span<const Form* const>() : found->forms;
}

bool RuleLibrary::has_user_rule(std::string_view domain, std::string_view op_type) const {
  domain = normalized_domain(domain);
  const auto found = entries_.find({domain, op_type});
  return found != entries_.end() && found->second.user_forms > 0;
}

const NativeRule* RuleLibrary::native(std::string_view domain, std::string_view op_type) {
  return NativeRule::find(normalized_domain(domain), op_type);
}

std::vector<const NativeRule*> RuleLibrary::natives(std::string_view domain, std::string_view op_type) {
  std::vector<const NativeRule*> all = NativeRule::find_all(normalized_domain(domain), op_type);
  // ONNX has a schema for each of its own operators, and for no other one.
  const bool is_unknown = is_standard_domain(domain) && operator_versions(domain, op_type).empty();
  const NativeRule* any = is_unknown ? nullptr : native(domain, "*");
  if (any != nullptr) all.push_back(any);
  if (all.size() > 1) std::ranges::stable_sort(all, {}, &NativeRule::turn);
  return all;
}

std::vector<RuleSummary> RuleLibrary::list() {
  std::vector<RuleSummary> summaries;
  for (const auto& [file, forms] : user_rules_) {
    RuleSummary summary{.domain = std::string(shown_domain(forms[0]->function.domain())),
                        .op_type = forms[0]->function.name(),
                        .origin = RuleOrigin::user,
                        .forms = {},
                        .file = file->path,
                        .summary = file->rules.summary,
                        .source = file->rules.source};
    for (const Form* form : forms) summary.forms.push_back(signature_with_condition(*form));
    summaries.push_back(std::move(summary));
  }
  for (const EmbeddedRule& rule : embedded_rules()) {
    const Entry& entry = *find(rule.domain, rule.op_type);
    const RuleComments comments = comments_of(rule.text);
    RuleSummary summary{.domain = std::string(shown_domain(rule.domain)),
                        .op_type = std::string(rule.op_type),
                        .forms = {},
                        .file = std::string(rule.path),
                        .summary = std::string(comments.summary),
                        .source = std::string(comments.source)};
    for (std::size_t i = entry.user_forms; i < entry.forms.size(); ++i)
      summary.forms.push_back(signature_with_condition(*entry.forms[i]));
    summaries.push_back(std::move(summary));
  }
  for (const NativeRule* rule : NativeRule::all()) {
    for (const OperatorName& name : rule->names()) {
      summaries.push_back({.domain = std::string(shown_domain(name.domain)),
                           .op_type = std::string(name.op_type),
                           .native = true,
                           .forms = {},
                           .file = {},
                           .summary = std::string(rule->summary),
                           .source = std::string(rule->source)});
    }
  }
  std::ranges::stable_sort(summaries, {}, [](const RuleSummary& summary) {
    return std::tie(summary.domain, summary.op_type, summary.origin, summary.native, summary.summary);
  });
  return summaries;
}

std::string RuleLibrary::text(std::string_view domain, std::string_view op_type) {
  domain = normalized_domain(domain);
  std::vector<std::pair<std::string, std::string>> parts;  // where each comes from, and the text
  for (const auto& [file, forms] : user_rules_) {
    const onnx::FunctionProto& function = forms[0]->function;
    if (function.domain() == domain && function.name() == op_type) parts.emplace_back(file->path, file->text);
  }
  if (const EmbeddedRule* rule = find_embedded(domain, op_type)) parts.emplace_back(rule->path, rule->text);
  for (const NativeRule* rule : NativeRule::find_all(domain, op_type)) {
    parts.emplace_back(fmt::format("native rule, rules/{}/", shown_domain(domain)),
                       fmt::format("# {}\n# Source: {}\n# A native rule: it is written in C++, in rules/{}.\n",
                                   rule->summary, rule->source, shown_domain(domain)));
  }
  std::string result;
  for (const auto& [where_from, text] : parts) {
    // A single text is returned as it is, so that it can be saved as a rule file.
    if (parts.size() > 1) result += fmt::format("{}# {}\n", result.empty() ? "" : "\n", where_from);
    result += text;
    if (!result.ends_with('\n')) result += '\n';
  }
  return result;
}

bool RuleLibrary::has_rule(std::string_view domain, std::string_view op_type) const {
  domain = normalized_domain(domain);
  return has_user_rule(domain, op_type) || find_embedded(domain, op_type) != nullptr ||
         native(domain, op_type) != nullptr;
}

std::vector<std::string_view> RuleLibrary::domains_with(std::string_view op_type) const {
  std::set<std::string_view> domains;
  for (const auto& rule : user_rules_) {
    if (rule.forms[0]->function.name() == op_type) domains.insert(rule.forms[0]->function.domain());
  }
  for (const EmbeddedRule& rule : embedded_rules()) {
    if (rule.op_type == op_type) domains.insert(rule.domain);
  }
  for (const NativeRule* rule : NativeRule::all()) {
    for (const OperatorName& name : rule->names()) {
      if (name.op_type == op_type) domains.insert(name.domain);
    }
  }
  return {domains.begin(), domains.end()};
}

std::vector<std::string> RuleLibrary::similar_names(std::string_view domain, std::string_view op_type) {
  domain = normalized_domain(domain);
  // Sorted by similarity: of the operator's name, then of the domain's, then by the alphabet. If a
  // rule has exactly that operator name, only such rules are listed.
  std::set<std::tuple<std::size_t, std::size_t, std::string>> nearest;
  std::size_t limit = largest_misspelling(op_type.size());
  const auto consider = [&](std::string_view other_domain, std::string_view other_type) {
    if ((other_domain == domain && other_type == op_type) || other_type == "*") return;
    const std::size_t distance = edit_distance(op_type, other_type, limit);
    if (distance > limit) return;
    if (distance == 0 && limit > 0) {
      limit = 0;
      nearest.clear();
    }
    constexpr std::size_t any = 64;
    nearest.emplace(distance, edit_distance(domain, other_domain, any), operator_name(other_domain, other_type));
  };
  for (const auto& rule : user_rules_) consider(rule.forms[0]->function.domain(), rule.forms[0]->function.name());
  for (const EmbeddedRule& rule : embedded_rules()) consider(rule.domain, rule.op_type);
  if (native_names_.empty()) {
    for (const NativeRule* rule : NativeRule::all())
      std::ranges::copy(rule->names(), std::back_inserter(native_names_));
  }
  for (const OperatorName& name : native_names_) consider(name.domain, name.op_type);
  std::vector<std::string> names;
  for (const auto& [distance, domain_distance, name] : nearest) {
    names.push_back(name);
    if (names.size() == 3) break;
  }
  return names;
}

}  // namespace onnx_lower

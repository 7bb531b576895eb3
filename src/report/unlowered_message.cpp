// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/unlowered_message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "counted.h"
#include "domain.h"
#include "report/beyond_rules.h"
#include "report/finding_code.h"
#include "report/obstacle.h"
#include "report/setting_advice.h"
#include "rule_draft/rule_draft.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

constexpr size_t most_groups = 20;
constexpr size_t most_names = 3;
constexpr size_t most_places = 6;
constexpr size_t most_settings = 2;  // further forms only repeat these
constexpr int deepest_cause = 8;
constexpr size_t most_lines = 200;  // of the reasons of one node

struct Group {
  const UnloweredNode* first;
  std::vector<const std::string*> names;  // the first few
  size_t nodes = 0;
};

// "rules/a/B.onnxtxt:4, 9, 20" for places that differ only in their lines.
std::string joined_places(const std::vector<std::string_view>& places) {
  std::string joined;
  std::string_view file;
  for (const std::string_view place : std::span(places).first(std::min(places.size(), most_places))) {
    const std::string_view this_file = place.substr(0, place.rfind(':'));
    if (joined.empty() || this_file != file || this_file.size() == place.size()) {
      joined += fmt::format("{}{}", joined.empty() ? "" : ", ", place);
    } else {
      joined += fmt::format(", {}", place.substr(this_file.size() + 1));
    }
    file = this_file;
  }
  if (places.size() > most_places) joined += fmt::format(" and {} more", places.size() - most_places);
  return joined;
}

bool says_the_same(const Refusal& a, const Refusal& b) {
  return a.rule == b.rule && a.reason == b.reason && a.causes.empty() && b.causes.empty();
}

// The refusals that help the user: that of a target, and those of forms that the node nearly fits.
// If there are other refusals, those of forms for other inputs or attributes are dropped. If a form
// misses only attributes, or fitted and failed in its body, forms whose condition does not hold are
// dropped. Of forms that miss attributes, and of those for other inputs or attributes, only the
// first few reasons are kept, since the others only repeat them.
std::vector<Refusal> nearest(std::vector<Refusal> all) {
  const auto keep = [&all](auto is_near) {
    const auto stays = [&](const Refusal& refusal) {
      return refusal.is_of_target || refusal.ends_search || is_near(refusal);
    };
    if (std::ranges::any_of(all, is_near)) std::erase_if(all, std::not_fn(stays));
  };
  keep([](const Refusal& refusal) { return !refusal.is_of_signature; });
  keep([](const Refusal& refusal) { return !refusal.causes.empty() || !refusal.missing_attributes.empty(); });
  std::vector<std::string> reasons;
  std::erase_if(all, [&reasons](const Refusal& refusal) {
    if (!refusal.is_of_signature && refusal.missing_attributes.empty()) return false;
    if (std::ranges::find(reasons, refusal.reason) != reasons.end()) return false;
    if (reasons.size() == most_settings) return true;
    reasons.push_back(refusal.reason);
    return false;
  });
  return all;
}

// Below a certain depth only the last causes are printed, which are the reasons of all those above.
void append_refusals(std::string& text, std::vector<Refusal> all, int depth) {
  std::vector<Refusal> refusals = nearest(std::move(all));
  if (depth == deepest_cause) {
    size_t left_out = 0;
    for (; !refusals.empty() && !refusals.front().causes.empty(); ++left_out)
      refusals = nearest(std::vector<Refusal>(std::move(refusals.front().causes)));
    if (left_out > 0) text += fmt::format("{:{}}… {} in between …\n", "", 2 * depth, counted(left_out, "rule"));
  }
  for (size_t i = 0; i < refusals.size();) {
    const Refusal& refusal = refusals[i];
    std::vector<std::string_view> places;
    do {
      // Several forms may be written as one form with choices.
      const std::string_view place = refusals[i].where_from;
      if (!place.empty() && (places.empty() || places.back() != place)) places.push_back(place);
      ++i;
    } while (i < refusals.size() && says_the_same(refusal, refusals[i]));
    const std::string from = places.empty() ? "" : fmt::format(" ({})", joined_places(places));
    const std::string rule = refusal.rule.empty() ? "" : fmt::format("rule {}{}: ", refusal.rule, from);
    text += fmt::format("{:{}}{}{}\n", "", 2 * depth, rule, refusal.reason);
    append_refusals(text, refusal.causes, depth + 1);
  }
}

void append_hint(std::string& text, const Colors& colors, std::string_view label, const std::string& hint) {
  text += fmt::format("  {} {}\n", colors.hint(label), hint);
}

// The options that give a rule the attributes that it misses. `whom` is an operator, or "node:" and
// the name of a node.
std::string settings_for(const std::string& whom, const std::vector<std::string>& missing_attributes) {
  std::string settings;
  for (const std::string& attribute : missing_attributes) {
    settings += fmt::format("{}--set {}.{}=VALUE", settings.empty() ? "" : " ", whom, attribute);
  }
  return settings;
}

// " --rules r1.onnxtxt" for the user's rules among those that declined: the options are of
// no use without them.
std::string rules_of(const UnloweredNode& node, const Options& given) {
  std::string options;
  for (const std::string& path : given.rule_paths) {
    const auto is_from_here = [&](const Refusal& refusal) { return refusal.where_from.starts_with(path); };
    if (std::ranges::any_of(node.refusals, is_from_here)) options += fmt::format(" --rules {}", path);
  }
  return options;
}

// The operator without a rule at the end of what the refusals rest on; empty where they rest on
// something else.
std::string lacking_rule(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    if (!refusal.lacking_rule.empty()) return refusal.lacking_rule;
    if (std::string lacking = lacking_rule(refusal.causes); !lacking.empty()) return lacking;
  }
  return {};
}

// The options that read the node as an operator that takes it.
std::string reading_of(const UnloweredNode& node) {
  std::string option = fmt::format(
      "--as {}={}", node.domain.empty() ? node.op_type : operator_name(node.domain, node.op_type), node.reading);
  for (const std::string& attribute : node.reading_lacks)
    option += fmt::format(" --set {}.{}=VALUE", node.reading, attribute);
  if (!node.reading.starts_with(operator_name("", "")))
    option += fmt::format(" (if it computes the same: onnx-lower --show-rule {})", node.reading);
  return option;
}

void append_hints(std::string& text, const Group& group, const Colors& colors, const Options& given) {
  const UnloweredNode& node = *group.first;
  const std::string op = operator_name(node.domain, node.op_type);
  std::vector<std::string> hints;
  std::string for_one_node;
  for (const Refusal& refusal : node.refusals) {
    const std::string settings = settings_for(op, refusal.missing_attributes);
    if (hints.empty()) for_one_node = settings_for("node:" + node.node, refusal.missing_attributes);
    if (settings.empty() || hints.size() == most_settings) continue;
    if (std::find(hints.begin(), hints.end(), settings) == hints.end()) hints.push_back(settings);
  }
  bool is_first = true;
  const auto append_option = [&](const std::string& option) {
    append_hint(text, colors, std::exchange(is_first, false) ? "add:" : "or: ", option);
  };
  for (const OperatorReading& reading : given.legalize.readings) {
    if (reading.as.fits(node.domain, node.op_type))
      append_hint(text, colors,
                  "given:", fmt::format("--as {}={}", operator_name(reading.op.domain, reading.op.op_type), op));
  }
  for (const AttributeSetting* setting : refused_settings(node, given.legalize.settings)) {
    append_hint(text, colors, "given:", "--set " + setting->text);
    append_option(fmt::format("{} (in its place)", respelled(*setting, node)));
  }
  const bool has_given = std::ranges::any_of(given.legalize.settings,
                                             [&](const AttributeSetting& setting) { return is_for(setting, node); });
  for (const std::string& hint : hints) append_option(has_given ? hint + " (beside what is given)" : hint);
  if (group.nodes > 1 && !hints.empty()) append_hint(text, colors, "for one node only:", for_one_node);
  if (node.target_opset_hint > 0) {
    const std::string instead =
        given.legalize.target_opset ? fmt::format(" in place of {}", *given.legalize.target_opset) : "";
    append_option(fmt::format("--target-opset {}{}", node.target_opset_hint, instead));
  }
  if (node.narrowing_would_do)
    append_option("--allow-narrowing (double is then computed in float, and larger integers in int32)");
  if (node.unroll_hint > 0) {
    append_option(fmt::format("--unroll {} (it has as many steps, and up to {} are written one by one)",
                              node.unroll_hint, given.legalize.most_steps));
  }
  if (!node.open_inputs.empty())
    append_option(fmt::format("{} (or the sizes and values that it is to run with)", fmt::join(node.open_inputs, " ")));
  if (node.refusals.size() > 1 && std::ranges::all_of(node.refusals, &Refusal::is_of_signature))
    append_hint(text, colors, "what it takes:", fmt::format("onnx-lower --show-rule {}{}", op, rules_of(node, given)));
  if (!node.similar_operators.empty()) {
    append_hint(text, colors, node.reading.empty() ? "of similar names, and not what the node is:" : "there is:",
                fmt::format("{}", fmt::join(node.similar_operators, ", ")));
  }
  if (!node.reading.empty()) append_option(reading_of(node));
  const std::string lacking = lacking_rule(node.refusals);
  if (lacking == operator_name("", to_fill_in)) {
    append_hint(text, colors, "then:", fmt::format("the body of the rule of {} is still to be written", op));
  } else if (std::ranges::any_of(node.refusals, &Refusal::is_of_model)) {
    append_hint(text, colors, "then:", "export the model again, with this input");
  } else if (is_first || node.refusals.empty()) {
    append_option(fmt::format("--keep {} (the node stays as it is, for a runtime that has a kernel for it)", op));
    if (why_beyond_rules(node.domain, node.op_type).empty()) {
      append_option(fmt::format("--new-rule {} (writes the beginning of a rule, to be filled in)",
                                lacking.empty() ? op : lacking));
    }
  }
}

// The first lines of the reasons of a node, which may be hundreds.
std::string shortened(std::string reasons) {
  size_t end = 0;
  for (size_t line = 0; line < most_lines && end < reasons.size(); ++line) end = reasons.find('\n', end) + 1;
  const auto left_out = std::ranges::count(std::string_view(reasons).substr(end), '\n');
  if (left_out == 0) return reasons;
  reasons.resize(end);
  return reasons + fmt::format("  … and {}; --report FILE.json has them …\n",
                               counted(static_cast<size_t>(left_out), "more line"));
}

// Who lacks the operators that the message is about.
std::string runtime_of(const Options& given) {
  const Targets runtimes = runtimes_of(given.legalize.targets);
  return runtimes.size() == 1 ? runtimes.front()->name : runtimes.empty() ? "the target" : "a target";
}

// The refusals at the ends of the tree.
void append_ends(const std::vector<Refusal>& all, std::vector<Refusal>& ends) {
  for (const Refusal& refusal : nearest(all)) {
    if (refusal.causes.empty()) {
      ends.push_back(refusal);
    } else {
      append_ends(refusal.causes, ends);
    }
  }
}

// The first reason, which is mostly the target's, those for want of shapes, and then the last ones:
// the rules that are tried last are the most general.
std::vector<std::string> telling_reasons(const UnloweredNode& node) {
  constexpr size_t most_reasons = 3;
  std::vector<Refusal> ends;
  append_ends(node.refusals, ends);
  std::vector<std::string> reasons;
  const auto add = [&](const Refusal& refusal) {
    std::string reason = fmt::format("{}{}{}", refusal.rule, refusal.rule.empty() ? "" : ": ", refusal.reason);
    if (reasons.size() < most_reasons && std::ranges::find(reasons, reason) == reasons.end())
      reasons.push_back(std::move(reason));
  };
  if (!ends.empty()) add(ends.front());
  for (const Refusal& refusal : ends) {
    if (refusal.wants_shapes) add(refusal);
  }
  for (auto refusal = ends.rbegin(); refusal != ends.rend(); ++refusal) add(*refusal);
  return reasons;
}

// Why what is repeated is not written step by step: the first of the reasons.
std::string why_not_in_steps(const std::vector<Refusal>& all) {
  for (const Refusal& refusal : all) {
    if (refusal.steps != 0) return refusal.reason;
    if (std::string why = why_not_in_steps(refusal.causes); !why.empty()) return why;
  }
  return {};
}

size_t count_nearest(const std::vector<Refusal>& all) {
  size_t count = 0;
  for (const Refusal& refusal : nearest(all)) count += 1 + count_nearest(refusal.causes);
  return count;
}

std::string without_rule(const UnloweredNode& node) {
  const std::string_view why = why_beyond_rules(node.domain, node.op_type);
  return why.empty() ? "  there is no rule for this operator\n"
                     : fmt::format("  there can be no rule for this operator: {}\n", why);
}

// All reasons with -v, or where they are few; else what they come to.
std::string reasons_of(const UnloweredNode& node, const Options& given) {
  constexpr size_t few_reasons = 5;
  if (node.refusals.empty()) {
    return node.domain.empty()
               ? fmt::format(
                     "  ONNX has no operator {} at any opset: it is misspelled, or was exported without its domain\n",
                     node.op_type)
               : without_rule(node);
  }
  std::string reasons;
  append_refusals(reasons, node.refusals, 1);
  const std::string in_steps = why_not_in_steps(node.refusals);
  const std::string line_of_steps = in_steps.empty() ? "" : fmt::format("  {}\n", in_steps);
  if (reasons.find(in_steps) == std::string::npos) reasons += line_of_steps;
  const size_t count = count_nearest(node.refusals);
  const std::vector<std::string> lacking = lacking_operators(node.refusals);
  const bool says_more = count <= few_reasons && (in_steps.empty() || lacking.empty());
  if (says_more || given.verbosity == Verbosity::verbose) return shortened(std::move(reasons));
  const std::string more = fmt::format("  -v shows all {} reasons\n", count);
  if (!lacking.empty()) {
    const std::string who = runtime_of(given);
    return fmt::format("  {} {}\n{}{}", who, obstacle_of(node), line_of_steps, more);
  }
  std::string brief;
  for (const std::string& reason : telling_reasons(node)) brief += fmt::format("  {}\n", reason);
  return brief + more;
}

std::string who(const Group& group) {
  const std::string op = operator_name(group.first->domain, group.first->op_type);
  if (group.nodes == 1) return fmt::format("node '{}' ({})", group.first->node, op);
  std::string names;
  for (const std::string* name : group.names) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", *name);
  const size_t unnamed = group.nodes - group.names.size();
  return fmt::format("{} ({}), {}{},", counted(group.nodes, "node"), op, names,
                     unnamed > 0 ? fmt::format(" and {} more", unnamed) : "");
}

}  // namespace

std::string unlowered_message(const std::string& input, const LegalizeResult& result, bool allowed,
                              const Colors& colors, const Options& given) {
  std::vector<Group> groups;
  std::unordered_map<std::string, size_t> group_of;
  for (const UnloweredNode& node : result.unlowered) {
    const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", operator_name(node.domain, node.op_type),
                                        node.target_opset_hint, node.narrowing_would_do, node.unroll_hint,
                                        fmt::join(node.open_inputs, " "), reasons_of(node, given));
    const auto [found, is_new] = group_of.emplace(key, groups.size());
    if (is_new) groups.push_back({.first = &node, .names = {}, .nodes = 0});
    Group& group = groups[found->second];
    ++group.nodes;
    if (group.names.size() < most_names) group.names.push_back(&node.node);
  }

  const std::string label = allowed ? colors.warning("warning:") : colors.error("error:");
  std::string text;
  for (size_t i = 0; i < std::min(groups.size(), most_groups); ++i) {
    const UnloweredNode& first = *groups[i].first;
    text += fmt::format("{} {}: {} cannot be lowered ({})\n", label, input, colors.emphasis(who(groups[i])),
                        code_of(first).code);
    text += reasons_of(first, given);
    append_hints(text, groups[i], colors, given);
  }
  if (groups.size() > most_groups) {
    size_t nodes = 0;
    for (size_t i = most_groups; i < groups.size(); ++i) nodes += groups[i].nodes;
    text += fmt::format("{} {}: {} more cannot be lowered, for {} more; --report FILE.json has them all\n", label,
                        input, counted(nodes, "node"), counted(groups.size() - most_groups, "reason"));
  }
  return text;
}

std::string unlowered_message(const UnloweredNode& node, const Options& given) {
  const Group alone{.first = &node, .names = {&node.node}, .nodes = 1};
  std::string text =
      fmt::format("{} cannot be lowered ({})\n{}", who(alone), code_of(node).code, reasons_of(node, given));
  append_hints(text, alone, Colors(false), given);
  text.pop_back();
  return text;
}

}  // namespace onnx_lower

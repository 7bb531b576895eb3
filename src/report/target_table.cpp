// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/target_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "counted.h"
#include "report/obstacle.h"
#include "report/unlowered_json.h"

namespace onnx_lower {

namespace {

// Without what stands in the table already: the names of the model and of the target.
std::string without_names(std::string text, const std::string& input, const std::string& target) {
  for (const std::string& name : {input + ": ", target + " "}) {
    if (text.starts_with(name)) text.erase(0, name.size());
  }
  return text;
}

std::string obstacle_in(const TargetVerdict& verdict, const std::string& input) {
  if (verdict.unlowered.empty()) return without_names(verdict.problem, input, verdict.target);
  const UnloweredNode& first = verdict.unlowered.front();
  return fmt::format("{}: {}", without_names(obstacle_of(first), input, verdict.target), first.node);
}

std::string in_words(const TargetVerdict& verdict, const std::string& input) {
  if (verdict.kind == TargetVerdict::Kind::refused)
    return fmt::format("no             {}", obstacle_in(verdict, input));
  const bool is_same = verdict.kind == TargetVerdict::Kind::as_it_is;
  std::string text = is_same ? "as it is" : "after lowering";
  if (!is_same) text += fmt::format(" {} -> {}", verdict.nodes_before, counted(verdict.nodes_after, "node"));
  if (verdict.warnings.empty()) return text;
  const std::string others =
      verdict.warnings.size() == 1 ? "" : fmt::format(" (and {} more)", verdict.warnings.size() - 1);
  return fmt::format("{}; warning: {}{}", text, verdict.warnings.front(), others);
}

char column_name(size_t column) {
  constexpr std::string_view names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return names[column % names.size()];
}

char symbol_of(TargetVerdict::Kind kind) {
  if (kind == TargetVerdict::Kind::refused) return '-';
  return kind == TargetVerdict::Kind::as_it_is ? '=' : '+';
}

}  // namespace

std::string target_table(const std::string& input, std::span<const TargetVerdict> verdicts) {
  size_t width = 6;
  for (const TargetVerdict& verdict : verdicts) width = std::max(width, verdict.target.size());
  std::string table = fmt::format("{:<{}}  {}\n", "TARGET", width, "RUNS IT");
  for (const TargetVerdict& verdict : verdicts)
    table += fmt::format("{:<{}}  {}\n", verdict.target, width, in_words(verdict, input));
  return table;
}

nlohmann::ordered_json as_json(const TargetVerdict& verdict, const Options& given) {
  using Json = nlohmann::ordered_json;
  Json unlowered = Json::array();
  for (const UnloweredNode& node : verdict.unlowered) unlowered.push_back(as_json(node, given));
  const bool is_refused = verdict.kind == TargetVerdict::Kind::refused;
  return {{"target", verdict.target},
          {"verdict", verdict.kind},
          {"nodes_before", verdict.nodes_before},
          {"nodes_after", is_refused ? Json() : Json(verdict.nodes_after)},
          {"warnings", verdict.warnings},
          {"obstacle", is_refused ? Json(obstacle_in(verdict, given.input)) : Json()},
          {"unlowered", unlowered}};
}

std::string target_matrix(const std::vector<std::pair<std::string, VerdictByTarget>>& models) {
  constexpr size_t most_models = 100;
  using Kind = TargetVerdict::Kind;
  std::map<std::string, std::map<Kind, size_t>> counts;
  size_t width = 0;
  for (const auto& [model, verdicts] : models) {
    for (const auto& [target, kind] : verdicts) {
      ++counts[target][kind];
      width = std::max(width, target.size());
    }
  }
  std::string columns, table;
  for (size_t column = 0; column < counts.size(); ++column) columns += column_name(column);
  table = fmt::format("{}  MODEL\n", columns);
  for (const auto& [model, verdicts] : std::span(models).first(std::min(models.size(), most_models))) {
    for (const auto& [target, ignored] : counts) {
      const auto verdict = verdicts.find(target);
      table += verdict == verdicts.end() ? ' ' : symbol_of(verdict->second);
    }
    table += fmt::format("  {}\n", model);
  }
  if (models.size() > most_models)
    table += fmt::format("{} more; --report FILE.json has them all\n", counted(models.size() - most_models, "model"));
  table += fmt::format("\n   {:<{}}  {} as it is  {} after lowering  {} no\n", "TARGET", width,
                       symbol_of(Kind::as_it_is), symbol_of(Kind::after_lowering), symbol_of(Kind::refused));
  size_t column = 0;
  for (auto& [target, of_target] : counts)
    table += fmt::format("{}  {:<{}}  {:>9}  {:>16}  {:>4}\n", column_name(column++), target, width,
                         of_target[Kind::as_it_is], of_target[Kind::after_lowering], of_target[Kind::refused]);
  return table;
}

std::string first_named(std::span<const std::string> targets, size_t most) {
  const std::span<const std::string> first = targets.first(std::min(targets.size(), most));
  const size_t others = targets.size() - first.size();
  return fmt::format("{}{}", fmt::join(first, ", "), others == 0 ? "" : fmt::format(" and {} more", others));
}

std::string where_it_runs(std::span<const TargetVerdict> verdicts) {
  constexpr size_t most_named = 3;
  std::vector<std::string> targets;
  for (const TargetVerdict& verdict : verdicts) {
    if (verdict.kind == TargetVerdict::Kind::as_it_is) targets.push_back(verdict.target);
  }
  return targets.empty() ? std::string() : "runs as it is in " + first_named(targets, most_named);
}

}  // namespace onnx_lower

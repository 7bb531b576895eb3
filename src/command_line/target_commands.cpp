// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/target_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain.h"
#include "report/terminal.h"
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

void show_target(const Options& options) { print(find_target(options.shown_target)->text); }

}  // namespace onnx_lower

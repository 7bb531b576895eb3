// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "targets/target_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.h"
#include "rules/rule_file.h"
#include "source_text/characters.h"
#include "spelling.h"
#include "targets/embedded_targets.h"
#include "targets/runtimes_without_target.h"

namespace onnx_lower {
namespace {

// The version as numbers, one after another, so that "1.4" comes before "1.31".
std::vector<int> version_numbers(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string_view part : split(text, '.')) numbers.push_back(number_in<int>(part).value_or(0));
  return numbers;
}

const EmbeddedTarget* find_embedded(std::string_view name) {
  const EmbeddedTarget* newest = nullptr;
  for (const EmbeddedTarget& target : embedded_targets()) {
    if (target.name == name) return &target;
    if (!target.name.starts_with(name) || target.name.size() <= name.size() || target.name[name.size()] != '-')
      continue;
    const auto version = [&](const EmbeddedTarget& of) { return version_numbers(of.name.substr(name.size() + 1)); };
    if (newest == nullptr || version(*newest) < version(target)) newest = &target;
  }
  return newest;
}

bool is_target_file(const std::string& text) {
  return text.find('/') != std::string::npos || std::filesystem::path(text).extension() == ".target";
}

TargetFile parse(const EmbeddedTarget& target) {
  // The lines about operators are read when needed; the tests read all of them.
  return TargetFile::parse(std::string(target.name), std::string(target.text),
                           fmt::format("targets/{}.target", target.name), false);
}

// "onnxruntime" and "1.25" of "onnxruntime-1.25"; no version where there is none.
std::pair<std::string_view, std::string_view> name_and_version(std::string_view text) {
  const size_t dash = text.rfind('-');
  const bool has_version = dash != std::string_view::npos && dash + 1 < text.size() && is_digit(text[dash + 1]);
  return has_version ? std::pair(text.substr(0, dash), text.substr(dash + 1)) : std::pair(text, std::string_view());
}

// The newest target of the runtime that is not newer than the version; empty where there is none.
// What an older version takes a newer one takes, too, and not the other way round.
std::string_view nearest_older(std::string_view runtime, std::string_view version) {
  std::string_view nearest, its_version;
  for (const EmbeddedTarget& target : embedded_targets()) {
    const auto [name, other] = name_and_version(target.name);
    const bool is_older = name == runtime && !(version_numbers(version) < version_numbers(other));
    if (!is_older || (!nearest.empty() && version_numbers(other) < version_numbers(its_version))) continue;
    nearest = target.name;
    its_version = other;
  }
  return nearest;
}

// What to give instead of a target that is not there, as a clause.
std::string instead_of(const std::string& text) {
  constexpr size_t most_typos = 2;
  if (const std::string_view advice = advice_without_target(text); !advice.empty()) return fmt::format(": {}", advice);
  std::vector<std::string> runtimes;
  for (const EmbeddedTarget& target : embedded_targets()) {
    if (target.name != default_target) runtimes.emplace_back(name_and_version(target.name).first);
  }
  const auto [name, version] = name_and_version(text);
  const std::string runtime = nearest_name(name, runtimes, most_typos);
  if (runtime.empty()) return "";
  if (version.empty()) return fmt::format(" (is it {}?)", runtime);
  const std::string_view older = nearest_older(runtime, version);
  if (older.empty()) return fmt::format(", and all of {} are newer", runtime);
  return runtime == name ? fmt::format(": the nearest older one is {}", older) : fmt::format(" (is it {}?)", older);
}

[[noreturn]] void fail_unknown(const std::string& text) {
  throw UsageError(
      fmt::format("--target {}: there is no such target{}; --list-targets lists them, and a file of your own "
                  "is given as PATH.target",
                  text, instead_of(text)));
}

template <typename RangeOf>
VersionRange common(std::span<const std::shared_ptr<const TargetFile>> targets, const RangeOf& range_of) {
  VersionRange all;
  for (const std::shared_ptr<const TargetFile>& target : targets) {
    const VersionRange range = range_of(*target);
    all.first = std::max(all.first, range.first);
    all.last = std::min(all.last, range.last);
  }
  return all;
}

}  // namespace

std::shared_ptr<const TargetFile> find_target(const std::string& text) {
  const std::filesystem::path path(text);
  if (is_target_file(text))
    return std::make_shared<const TargetFile>(TargetFile::parse(path.stem().string(), read_whole_file(text), text));
  const EmbeddedTarget* found = text.empty() ? nullptr : find_embedded(text);
  if (found == nullptr) fail_unknown(text);
  return std::make_shared<const TargetFile>(parse(*found));
}

Targets find_targets(const std::string& texts) {
  Targets targets;
  for (const std::string_view text : split(texts, ',')) targets.push_back(find_target(std::string(text)));
  return targets;
}

std::vector<std::string> target_files_in(const std::string& texts) {
  std::vector<std::string> files;
  for (const std::string_view text : split(texts, ',')) {
    if (is_target_file(std::string(text))) files.emplace_back(text);
  }
  return files;
}

std::vector<TargetFile> built_in_targets() {
  std::vector<TargetFile> targets;
  for (const EmbeddedTarget& target : embedded_targets()) {
    if (target.name != default_target) targets.push_back(parse(target));
  }
  return targets;
}

const TargetFile* first_with(std::span<const std::shared_ptr<const TargetFile>> targets, bool TargetFile::*property) {
  const auto found = std::ranges::find_if(targets, [&](const auto& target) { return (*target).*property; });
  return found == targets.end() ? nullptr : found->get();
}

uint64_t types_as_raw_data(std::span<const std::shared_ptr<const TargetFile>> targets) {
  uint64_t types = 0;
  for (const std::shared_ptr<const TargetFile>& target : targets) types |= target->raw_types;
  return types;
}

VersionRange common_opsets(std::span<const std::shared_ptr<const TargetFile>> targets, std::string_view domain) {
  return common(targets, [&](const TargetFile& target) {
    const auto found = target.opsets.find(domain);
    return found == target.opsets.end() ? VersionRange() : found->second;
  });
}

VersionRange common_opsets_of_lowered(std::span<const std::shared_ptr<const TargetFile>> targets) {
  return common(targets, [](const TargetFile& target) { return target.opsets_of_lowered; });
}

VersionRange common_ir_versions(std::span<const std::shared_ptr<const TargetFile>> targets) {
  return common(targets, [](const TargetFile& target) { return target.ir_versions; });
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "targets/target_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.h"
#include "rules/rule_file.h"
#include "source_text/characters.h"
#include "spelling.h"
#include "targets/embedded_targets.h"
#include "targets/runtime_names.h"

namespace onnx_lower {
namespace {

// The version as numbers, one after another, so that "1.4" comes before "1.31"; of "1.22rc1", 1
// and 22.
std::vector<int> version_numbers(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string_view part : split(text, '.')) {
    const std::optional<int> number = number_in<int>(part.substr(0, part.find_first_not_of("0123456789")));
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

bool begins_with(const std::vector<int>& version, const std::vector<int>& first) {
  return version.size() >= first.size() && std::equal(first.begin(), first.end(), version.begin());
}

// The targets of a runtime, by their versions.
std::map<std::vector<int>, const EmbeddedTarget*> targets_of(std::string_view runtime) {
  std::map<std::vector<int>, const EmbeddedTarget*> found;
  for (const EmbeddedTarget& target : embedded_targets()) {
    const RuntimeName name = parse_runtime_name(target.name);
    if (name.runtime == runtime && target.name != default_target) found[version_numbers(name.version)] = &target;
  }
  return found;
}

struct FoundTarget {
  const EmbeddedTarget* target = nullptr;
  std::string_view why;  // where it is not the one version that the user named: why it is this one
};

// Of the versions that a name leaves open the newest; where there is no target of its version, the
// newest that is older, since what an older version takes a newer one takes, too, and not the other
// way round. No target where all are newer, or the runtime has none.
FoundTarget find_embedded(const std::string& text) {
  const auto named = std::ranges::find(embedded_targets(), text, &EmbeddedTarget::name);
  if (named != embedded_targets().end()) return {&*named, ""};
  const RuntimeName name = parse_runtime_name(text);
  const std::vector<int> version = version_numbers(name.version);
  FoundTarget found;
  for (const auto& [known, target] : targets_of(name.runtime)) {
    if (begins_with(known, version)) {
      found = {target, known == version ? "" : ", the newest"};
    } else if (known < version) {
      found = {target, ", the nearest older one"};
    }
  }
  return found;
}

bool is_target_file(const std::string& text) {
  return text.find('/') != std::string::npos || std::filesystem::path(text).extension() == ".target";
}

TargetFile parse(const EmbeddedTarget& target) {
  // The lines about operators are read when needed; the tests read all of them.
  return TargetFile::parse(std::string(target.name), std::string(target.text),
                           fmt::format("targets/{}.target", target.name), false);
}

// What to give instead of a target that is not there, as a clause.
std::string instead_of(const std::string& text) {
  const RuntimeName name = parse_runtime_name(text);
  if (const auto newer = targets_of(name.runtime); !newer.empty()) {
    return fmt::format(", and all of {} are newer, which may take more operators: the oldest is --target {}",
                       name.runtime, newer.begin()->second->name);
  }
  if (const std::string_view advice = advice_without_target(name); !advice.empty()) return fmt::format(": {}", advice);
  std::vector<std::string> runtimes;
  for (const EmbeddedTarget& target : embedded_targets()) {
    if (target.name != default_target) runtimes.push_back(parse_runtime_name(target.name).runtime);
  }
  const std::string runtime = nearest_name(name.runtime, runtimes);
  if (runtime.empty()) return "";
  const FoundTarget found = name.version.empty() ? FoundTarget() : find_embedded(runtime + "-" + name.version);
  return fmt::format(" (is it {}?)", found.target == nullptr ? runtime : found.target->name);
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
  const FoundTarget found = find_embedded(text);
  if (found.target == nullptr) fail_unknown(text);
  TargetFile file = parse(*found.target);
  if (text != file.name) file.found_as = fmt::format("{}: {} is taken{}", text, file.name, found.why);
  return std::make_shared<const TargetFile>(std::move(file));
}

Targets find_targets(const std::string& texts) {
  Targets targets;
  for (const std::string_view text : split(texts, ',')) targets.push_back(find_target(std::string(text)));
  return targets;
}

std::shared_ptr<const TargetFile> target_without(const std::vector<WithoutOperator>& operators,
                                                 const std::string& text) {
  std::string lines;
  std::vector<std::string> domains;
  for (const auto& [domain, op_type] : operators) {
    if (op_type.empty()) {
      domains.push_back(domain);
      if (domain == "ai.onnx.ml") lines += "opset ai.onnx.ml none\n";
    } else {
      lines += fmt::format("{}{} never\n", domain.empty() ? "" : domain + "::", op_type);
    }
  }
  const std::string name = fmt::format("--without {}", text);
  TargetFile target = TargetFile::parse(name, lines, name);
  target.text += text;  // domains stand in no line
  target.is_restriction = true;
  target.lacking_domains = std::move(domains);
  return std::make_shared<const TargetFile>(std::move(target));
}

Targets runtimes_of(const Targets& targets) {
  Targets runtimes;
  std::ranges::copy_if(targets, std::back_inserter(runtimes),
                       [](const auto& target) { return !target->is_restriction && !target->only_made_nodes; });
  return runtimes;
}

Targets restrictions_of(const Targets& targets) {
  Targets restrictions;
  std::ranges::copy_if(targets, std::back_inserter(restrictions),
                       [](const auto& target) { return target->is_restriction; });
  return restrictions;
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

std::vector<std::string> built_in_target_names() {
  std::vector<std::string> names;
  for (const EmbeddedTarget& target : embedded_targets()) {
    if (target.name != default_target) names.emplace_back(target.name);
  }
  return names;
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

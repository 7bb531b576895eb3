// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/result_report.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "domain.h"
#include "report/summary.h"

namespace onnx_lower {

// What it is for no name that is known stands first.
NLOHMANN_JSON_SERIALIZE_ENUM(Outcome, {{Outcome::failed, "failed"},
                                       {Outcome::lowered, "lowered"},
                                       {Outcome::unchanged, "unchanged"},
                                       {Outcome::up_to_date, "up_to_date"}})

namespace {

using Json = nlohmann::ordered_json;

std::string as_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string without_colors(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "\x1b[") == 0) {
      i = text.find('m', i);
      if (i == std::string::npos) break;
    } else {
      plain += text[i];
    }
  }
  while (plain.ends_with('\n')) plain.pop_back();
  return plain;
}

// "its process was ended by SIGSEGV (Segmentation fault)"
std::string death_of(const FinishedTask& finished) {
  if (finished.timed_out) return fmt::format("was stopped after {:.1f} s (--timeout)", finished.milliseconds / 1000);
  const char* name = ::sigabbrev_np(finished.signal);
  const std::string signal = name == nullptr ? fmt::format("signal {}", finished.signal) : fmt::format("SIG{}", name);
  return fmt::format("its process was ended by {} ({}{})", signal, ::strsignal(finished.signal),
                     finished.signal == SIGKILL ? "; the machine may have run out of memory" : "");
}

// The head of each line; `result` goes behind.
Json head(const ModelJob& job) {
  Json line;
  if (!job.id.empty()) line["id"] = Json::parse(job.id);
  line["input"] = job.input;
  line["output"] = job.output.empty() ? Json() : Json(job.output);
  return line;
}

constexpr const char* details_key = "details";

ToldResult finished_line(Json line) {
  ToldResult told;
  if (const auto details = line.find(details_key); details != line.end()) {
    told.details = as_text(*details);
    line.erase(details);
  }
  told.outcome = line.at("status").get<Outcome>();
  if (line.contains("unused_settings")) told.unused_settings = line["unused_settings"];
  if (line.contains("unused_keeps")) told.unused_keeps = line["unused_keeps"];
  if (line.contains("assumptions")) told.assumptions = line["assumptions"];
  if (line.contains("targets")) told.verdicts = line["targets"];
  told.needs_lowering = line.value("exit_status", 0) == static_cast<int>(ExitStatus::needs_lowering);
  if (line.at("error").is_string()) {
    const std::string error = line["error"];
    told.error = error.substr(0, error.find('\n'));
  }
  told.line = as_text(line) + "\n";
  return told;
}

Json counts_of(const LegalizeResult& result, bool attached) {
  Json counts = Json::object();
  for (const RuleCount& count : count_by_rule(result, attached)) counts[count.rule] = count.nodes;
  return counts;
}

Json assumptions_of(const LegalizeResult& result) {
  std::set<std::string> assumptions;
  for (const LoweredNode& node : result.lowered) {
    if (!node.assumption.empty())
      assumptions.insert(fmt::format("{}: {}", operator_name(node.domain, node.op_type), node.assumption));
  }
  return assumptions;
}

}  // namespace

std::string result_of(const RunReport& report) {
  std::map<std::string, size_t> counts;
  for (const UnloweredNode& node : report.result.unlowered) ++counts[operator_name(node.domain, node.op_type)];
  Json unlowered = Json::object();
  for (const auto& [name, count] : counts) unlowered[name] = count;
  const bool is_changed = !report.result.lowered.empty() || !report.result.folded.empty();
  const bool is_well = report.status == ExitStatus::done || report.status == ExitStatus::needs_lowering;
  const Outcome outcome = !is_well ? Outcome::failed : is_changed ? Outcome::lowered : Outcome::unchanged;
  Json targets = Json::object();
  for (const TargetVerdict& verdict : report.verdicts) targets[verdict.target] = verdict.kind;
  return as_text({{"status", outcome},
                  {"exit_status", static_cast<int>(report.status)},
                  {"nodes_before", report.result.nodes_before},
                  {"nodes_after", report.result.nodes_after},
                  {"folded", report.result.folded.size()},
                  {"lowered", counts_of(report.result, false)},
                  {"attached", counts_of(report.result, true)},
                  {"unlowered", unlowered},
                  {"unused_settings", report.result.unused.settings},
                  {"unused_keeps", report.unused_keeps},
                  {"assumptions", assumptions_of(report.result)},
                  {"targets", targets},
                  {"milliseconds", report.milliseconds},
                  {"error", report.error.empty() ? Json() : Json(report.error)}});
}

std::string failure(ExitStatus status, const std::string& error) {
  return as_text({{"status", Outcome::failed}, {"exit_status", static_cast<int>(status)}, {"error", error}});
}

std::string with_details(const std::string& result, const std::string& details) {
  if (details.empty()) return result;
  // Put behind the result as text: of a large model they need not be read for that.
  return fmt::format("{},\"{}\":{}}}", std::string_view(result).substr(0, result.size() - 1), details_key, details);
}

std::string with_status(const std::string& result, Outcome outcome) {
  Json json = Json::parse(result);
  json["status"] = outcome;
  return as_text(json);
}

ToldResult told(const ModelJob& job, const FinishedTask& finished) {
  Json line = head(job);
  Json result = Json::parse(finished.result, nullptr, false);
  const bool ended_well =
      finished.signal == 0 && result.is_object() && result.value("exit_status", -1) == finished.exit_status;
  if (!ended_well) {
    const std::string cause =
        finished.signal != 0 || finished.timed_out ? death_of(finished) : without_colors(finished.messages);
    result = Json::parse(failure(ExitStatus::file_error, cause));
    result["exit_status"] = finished.signal != 0 ? 128 + finished.signal : finished.exit_status;
    if (finished.signal != 0) result["signal"] = finished.signal;
  } else if (result["status"] == Outcome::failed && result["error"].is_null()) {
    result["error"] = without_colors(finished.messages);
  }
  line.update(result);
  line["process_milliseconds"] = finished.milliseconds;
  line["peak_memory"] = finished.peak_memory;
  ToldResult told = finished_line(std::move(line));
  told.settings_mattered = told.outcome == Outcome::lowered || told.outcome == Outcome::unchanged;
  return told;
}

ToldResult told_up_to_date(const ModelJob& job, const std::string& recorded_result, double milliseconds) {
  Json line = head(job);
  line.update(Json::parse(with_status(recorded_result, Outcome::up_to_date)));
  line["process_milliseconds"] = milliseconds;
  return finished_line(std::move(line));
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/sarif_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "counted.h"
#include "domain.h"
#include "report/finding_code.h"
#include "report/summary.h"
#include "report/unlowered_message.h"
#include "version.h"

namespace onnx_lower {
namespace {

using Json = nlohmann::ordered_json;

// A path as the reference to a file: percent signs stand for what a URI cannot hold.
std::string uri_of(std::string_view path) {
  constexpr std::string_view unreserved = "-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter_or_digit || unreserved.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

// The findings of one model.
class Results {
 public:
  explicit Results(const Options& options) : uri_(uri_of(options.input == "-" ? "stdin" : options.input)) {}

  // `logical`: the node or value that it is about, after the graph that this stands in; empty where
  // it is about the whole model.
  void add(const FindingCode& code, const char* level, const std::string& message, const std::string& graph,
           const std::string& name, const char* what) {
    Json location = {{"physicalLocation", {{"artifactLocation", {{"uri", uri_}}}}}};
    if (!name.empty()) {
      location["logicalLocations"] = {
          {{"name", name}, {"fullyQualifiedName", graph.empty() ? name : graph + "/" + name}, {"kind", what}}};
    }
    all_.push_back({{"ruleId", code.code},
                    {"ruleIndex", &code - finding_codes().data()},
                    {"level", level},
                    {"message", {{"text", message}}},
                    {"locations", {location}}});
  }

  const std::string& uri() const { return uri_; }
  Json take() { return std::move(all_); }

 private:
  std::string uri_;
  Json all_ = Json::array();
};

constexpr const char* node_kind = "object";
constexpr const char* value_kind = "variable";
constexpr const char* operator_kind = "function";

void add_warnings(Results& results, const Options& options, const RunReport& report) {
  const LegalizeResult& result = report.result;
  const auto warn = [&](std::string_view code, const std::string& message, const std::string& name, const char* what) {
    results.add(finding_code(code), "warning", message, {}, name, what);
  };
  for (const Contradiction& found : result.warnings.contradictions) {
    warn("OL101", fmt::format("'{}' is declared as {}, and is {}", found.value, found.declared, found.inferred),
         found.value, value_kind);
  }
  for (const DoubtfulNode& found : result.warnings.doubtful) {
    warn("OL102",
         fmt::format("node '{}' ({}) comes out wrong in {}: {}", found.node, found.op, found.target, found.reason),
         found.node, node_kind);
  }
  for (const ComputedAsFloat& found : result.warnings.computed_as_float) {
    warn("OL103",
         fmt::format("{} computes {} of type {} as float, '{}' the first of them", found.target,
                     counted(found.values, "value"), found.element_type, found.value),
         found.value, value_kind);
  }
  for (const LoweredNode& lowered : result.lowered) {
    if (lowered.assumption.empty()) continue;
    warn("OL104",
         fmt::format("node '{}' ({}): {}", lowered.node, operator_name(lowered.domain, lowered.op_type),
                     lowered.assumption),
         std::string(lowered.node), node_kind);
  }
  for (const LoweredNode* lowered : slower_nodes(result, options.legalize.targets)) {
    const SlowerForm& form = *lowered->slower;
    results.add(finding_code("OL106"), "note",
                fmt::format("node '{}' ({}{}{}) takes {} {} times as long as its own kernel", lowered->node,
                            lowered->op_type, form.told_by.empty() && !form.which.empty() ? " " : "",
                            form.told_by.empty() ? form.which : "", form.runtime, form.times),
                {}, std::string(lowered->node), node_kind);
  }
  for (const std::string& op : result.warnings.functions_beside_kernels) {
    warn("OL105",
         fmt::format("{} was lowered by the model's function of this name; a runtime may have a kernel for it", op), op,
         operator_kind);
  }
}

Json rules() {
  Json rules = Json::array();
  for (const FindingCode& code : finding_codes())
    rules.push_back({{"id", code.code},
                     {"shortDescription", {{"text", code.title}}},
                     {"fullDescription", {{"text", code.explanation}}}});
  return rules;
}

}  // namespace

std::string sarif_run(const Options& options, const RunReport& report) {
  Results results(options);
  const char* level = options.allow_unlowered ? "warning" : "error";
  if (!report.error.empty()) results.add(finding_code("OL100"), "error", report.error, {}, {}, node_kind);
  for (const UnloweredNode& node : report.result.unlowered)
    results.add(code_of(node), level, unlowered_message(node, options), node.graph, node.node, node_kind);
  add_warnings(results, options, report);
  const Json invocation = {{"executionSuccessful", report.error.empty()},
                           {"exitCode", static_cast<int>(report.status)}};
  const Json driver = {{"name", "onnx-lower"}, {"version", tool_version}, {"rules", rules()}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({invocation})},
                    {"artifacts", {{{"location", {{"uri", results.uri()}}}}}},
                    {"results", results.take()}};
  return run.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string sarif_report(const std::vector<std::string>& runs) {
  std::string text =
      "{\n\"$schema\": "
      "\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\",\n"
      "\"version\": \"2.1.0\",\n\"runs\": [\n";
  for (size_t i = 0; i < runs.size(); ++i) text += (i == 0 ? "" : ",\n") + runs[i];
  return text + "\n]\n}\n";
}

}  // namespace onnx_lower

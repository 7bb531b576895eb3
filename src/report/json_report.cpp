// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/json_report.h"

#include <nlohmann/json.hpp>

#include "domain.h"
#include "model_file/output_file.h"
#include "report/summary.h"
#include "report/unlowered_message.h"
#include "version.h"

namespace onnx_lower {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

const char* name_of(ExternalDataMode mode) {
  switch (mode) {
    case ExternalDataMode::keep:
      return "keep";
    case ExternalDataMode::embed:
      return "embed";
    case ExternalDataMode::split:
      return "split";
  }
  return "";
}

const char* name_of(FoldedNode::Into into) {
  switch (into) {
    case FoldedNode::Into::constant:
      return "constant";
    case FoldedNode::Into::then_branch:
      return "then_branch";
    case FoldedNode::Into::else_branch:
      return "else_branch";
    case FoldedNode::Into::nothing:
      return "nothing";
  }
  return "";
}

Json settings(const Options& options) {
  Json set = Json::array();
  for (const AttributeSetting& setting : options.legalize.settings) set.push_back(setting.text);
  Json targets = Json::array();
  for (const std::shared_ptr<const TargetFile>& target : options.legalize.targets) targets.push_back(target->name);
  return {{"set", set},
          {"keep", options.kept_texts},
          {"attach", options.attached_texts},
          {"rules", options.rule_paths},
          {"check", options.check_only},
          {"allow_unlowered", options.allow_unlowered},
          {"fold", options.legalize.fold},
          {"external_data", name_of(options.write.external_data)},
          {"targets", targets},
          {"allow_narrowing", options.legalize.allow_narrowing},
          {"target_opset", options.legalize.target_opset ? Json(*options.legalize.target_opset) : Json()},
          {"ir_version", options.legalize.ir_version ? Json(*options.legalize.ir_version) : Json()}};
}

Json to_json(const LoweredNode& lowered) {
  Json json = {{"node", lowered.node},
               {"operator", operator_name(lowered.domain, lowered.op_type)},
               {"rule", lowered.where_from},
               {"nodes_made", lowered.nodes_made}};
  json["attached"] = lowered.attached;
  if (!lowered.note.empty()) json["note"] = lowered.note;
  if (!lowered.assumption.empty()) json["assumption"] = lowered.assumption;
  return json;
}

Json to_json(const Refusal& refusal) {
  Json causes = Json::array();
  for (const Refusal& cause : refusal.causes) causes.push_back(to_json(cause));
  return {{"rule", refusal.rule},
          {"from", refusal.where_from},
          {"reason", refusal.reason},
          {"missing_attributes", refusal.missing_attributes},
          {"causes", causes}};
}

Json to_json(const UnloweredNode& unlowered, const GivenOptions& given) {
  Json refusals = Json::array();
  for (const Refusal& refusal : unlowered.refusals) refusals.push_back(to_json(refusal));
  return {{"node", unlowered.node},
          {"operator", operator_name(unlowered.domain, unlowered.op_type)},
          {"refusals", refusals},
          {"similar_operators", unlowered.similar_operators},
          {"target_opset", unlowered.target_opset_hint > 0 ? Json(unlowered.target_opset_hint) : Json()},
          {"message", unlowered_message(unlowered, given)}};
}

}  // namespace

std::string json_report(const Options& options, const RunReport& report) {
  const LegalizeResult& result = report.result;
  Json rules = Json::array();
  for (const bool attached : {false, true}) {
    for (const RuleCount& count : count_by_rule(result, attached))
      rules.push_back({{"operator", count.rule}, {"nodes", count.nodes}, {"attached", attached}});
  }
  Json lowered = Json::array();
  for (const LoweredNode& node : result.lowered) lowered.push_back(to_json(node));
  Json unlowered = Json::array();
  const GivenOptions given{options.rule_paths, options.legalize.target_opset};
  for (const UnloweredNode& node : result.unlowered) unlowered.push_back(to_json(node, given));

  Json folded = Json::array();
  for (const FoldedNode& node : result.folded) {
    folded.push_back(
        {{"node", node.node}, {"operator", operator_name(node.domain, node.op_type)}, {"into", name_of(node.into)}});
  }

  Json contradictions = Json::array();
  for (const Contradiction& found : result.contradictions)
    contradictions.push_back({{"value", found.value}, {"declared", found.declared}, {"inferred", found.inferred}});

  const Json json = {
      {"versions", {{"onnx-lower", tool_version}, {"onnx", onnx_version}, {"protobuf", protobuf_version}}},
      {"input", options.input},
      {"output", text_or_null(options.output)},
      {"exit_status", static_cast<int>(report.status)},
      {"error", text_or_null(report.error)},
      {"milliseconds", report.milliseconds},
      {"settings", settings(options)},
      {"nodes_before", result.nodes_before},
      {"nodes_after", result.nodes_after},
      {"rules", rules},
      {"lowered", lowered},
      {"unlowered", unlowered},
      {"folded", folded},
      {"unused_settings", result.unused_settings},
      {"unused_attachments", result.unused_attachments},
      {"unused_keeps", report.unused_keeps},
      {"attached_functions", result.attached_functions},
      {"ir_version", result.new_ir_version != 0 ? Json(result.new_ir_version) : Json()},
      {"dropped_fields", result.dropped_fields},
      {"dropped_domains", result.dropped_domains},
      {"contradictions", contradictions},
      {"functions_beside_kernels", result.functions_beside_kernels},
      {"densified_initializers", result.densified_initializers}};
  // Names in a model are bytes; what is not UTF-8 in them shows as a replacement character.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_json_report(const Options& options, const RunReport& report) {
  if (options.report_path.empty()) return;
  const std::string text = json_report(options, report);
  write_output(options.report_path, text);
}

}  // namespace onnx_lower

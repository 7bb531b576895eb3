// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/json_report.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "domain.h"
#include "model_file/output_file.h"
#include "report/summary.h"
#include "report/unlowered_message.h"
#include "version.h"

namespace onnx_lower {

NLOHMANN_JSON_SERIALIZE_ENUM(ExternalDataMode, {{ExternalDataMode::keep, "keep"},
                                                {ExternalDataMode::embed, "embed"},
                                                {ExternalDataMode::split, "split"}})

NLOHMANN_JSON_SERIALIZE_ENUM(FoldedNode::Into, {{FoldedNode::Into::constant, "constant"},
                                                {FoldedNode::Into::then_branch, "then_branch"},
                                                {FoldedNode::Into::else_branch, "else_branch"},
                                                {FoldedNode::Into::nothing, "nothing"}})

namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

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
          {"external_data", options.write.external_data},
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

Json to_json(const UnloweredNode& unlowered, const Options& given) {
  Json refusals = Json::array();
  for (const Refusal& refusal : unlowered.refusals) refusals.push_back(to_json(refusal));
  return {{"node", unlowered.node},
          {"operator", operator_name(unlowered.domain, unlowered.op_type)},
          {"refusals", refusals},
          {"similar_operators", unlowered.similar_operators},
          {"target_opset", unlowered.target_opset_hint > 0 ? Json(unlowered.target_opset_hint) : Json()},
          {"message", unlowered_message(unlowered, given)}};
}

Json to_json(const FoldedNode& folded) {
  return {{"node", folded.node}, {"operator", operator_name(folded.domain, folded.op_type)}, {"into", folded.into}};
}

Json to_json(const Contradiction& found) {
  return {{"value", found.value}, {"declared", found.declared}, {"inferred", found.inferred}};
}

Json to_json(const DoubtfulNode& found) {
  return {{"node", found.node}, {"operator", found.op}, {"target", found.target}, {"reason", found.reason}};
}

Json to_json(const ComputedAsFloat& found) {
  return {
      {"target", found.target}, {"element_type", found.element_type}, {"value", found.value}, {"values", found.values}};
}

// Writes the report as text, one member after another: as JSON values in memory, the entries for a
// hundred thousand nodes would take ten times as much.
class ReportText {
 public:
  void add(const char* name, const Json& value) {
    begin(name);
    append(value, 1);
  }

  template <typename Entries, typename ToJson>
  void add_list(const char* name, const Entries& entries, const ToJson& to_json) {
    begin(name);
    text_ += '[';
    const char* before = "\n    ";
    for (const auto& entry : entries) {
      const size_t begin = text_.size();
      text_ += before;
      append(to_json(entry), 2);
      // The entries have about the same size. Without this estimate the text would be copied as it
      // grows, and take twice the memory meanwhile.
      if (&entry == &entries.front()) text_.reserve(text_.size() + (text_.size() - begin) * entries.size() * 17 / 16);
      before = ",\n    ";
    }
    text_ += entries.empty() ? "]" : "\n  ]";
  }

  std::string end() && { return std::move(text_ += "\n}\n"); }

 private:
  void begin(const char* name) {
    text_ += text_.empty() ? "{\n  \"" : ",\n  \"";
    text_ += name;
    text_ += "\": ";
  }

  void append(const Json& value, size_t depth) {
    // Names in a model may be any bytes: what is not UTF-8 becomes a replacement character. Line
    // breaks in strings are escaped.
    for (const char c : value.dump(indent, ' ', false, Json::error_handler_t::replace)) {
      text_ += c;
      if (c == '\n') text_.append(depth * size_t{indent}, ' ');
    }
  }

  static constexpr int indent = 2;
  std::string text_;
};

}  // namespace

std::string json_report(const Options& options, const RunReport& report) {
  const LegalizeResult& result = report.result;
  Json rules = Json::array();
  for (const bool attached : {false, true}) {
    for (const RuleCount& count : count_by_rule(result, attached))
      rules.push_back({{"operator", count.rule}, {"nodes", count.nodes}, {"attached", attached}});
  }
  const auto entry = [](const auto& each) { return to_json(each); };

  ReportText text;
  text.add("versions", {{"onnx-lower", tool_version}, {"onnx", onnx_version}, {"protobuf", protobuf_version}});
  text.add("input", options.input);
  text.add("output", text_or_null(options.output));
  text.add("exit_status", static_cast<int>(report.status));
  text.add("error", text_or_null(report.error));
  text.add("milliseconds", report.milliseconds);
  text.add("settings", settings(options));
  text.add("nodes_before", result.nodes_before);
  text.add("nodes_after", result.nodes_after);
  text.add("rules", rules);
  text.add_list("lowered", result.lowered, entry);
  text.add_list("unlowered", result.unlowered, [&](const UnloweredNode& node) { return to_json(node, options); });
  text.add_list("folded", result.folded, entry);
  text.add("unused_settings", result.unused.settings);
  text.add("unused_attachments", result.unused.attachments);
  text.add("unused_keeps", report.unused_keeps);
  text.add("attached_functions", result.attached_functions);
  text.add("ir_version", result.ir_version.now != 0 ? Json(result.ir_version.now) : Json());
  text.add("ir_version_needed_by", result.ir_version.needed_by.empty() ? Json() : Json(result.ir_version.needed_by));
  text.add("dropped_fields", result.ir_version.dropped_fields);
  text.add("dropped_domains", result.dropped_domains);
  text.add_list("contradictions", result.warnings.contradictions, entry);
  text.add_list("doubtful", result.warnings.doubtful, entry);
  text.add_list("computed_as_float", result.warnings.computed_as_float, entry);
  const int other_opset = result.warnings.other_opset.opset;
  text.add("other_opset", other_opset != 0 ? Json(other_opset) : Json());
  text.add("functions_beside_kernels", result.warnings.functions_beside_kernels);
  text.add("densified_initializers", result.densified_initializers);
  return std::move(text).end();
}

void write_json_report(const Options& options, const RunReport& report) {
  if (options.report_path.empty()) return;
  const std::string text = json_report(options, report);
  write_output(options.report_path, text);
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/json_report.h"

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "domain.h"
#include "report/finding_code.h"
#include "report/summary.h"
#include "report/target_table.h"
#include "report/unlowered_json.h"
#include "report/unlowered_message.h"
#include "report/verify_message.h"
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
  for (const auto& target : runtimes_of(options.legalize.targets)) targets.push_back(target->name);
  return {{"set", set},
          {"keep", options.kept_texts},
          {"attach", options.attached_texts},
          {"rules", options.rule_paths},
          {"check", options.check_only},
          {"allow_unlowered", options.allow_unlowered},
          {"fold", options.legalize.fold},
          {"external_data", options.write.external_data},
          {"targets", targets},
          {"without", options.without_texts},
          {"allow_narrowing", options.legalize.allow_narrowing},
          {"unroll", options.legalize.most_steps},
          {"target_opset", options.legalize.target_opset ? Json(*options.legalize.target_opset) : Json()},
          {"ir_version", options.legalize.ir_version ? Json(*options.legalize.ir_version) : Json()}};
}

Json to_json(const LoweredNode& lowered) {
  Json json = {{"node", lowered.node},
               {"operator", operator_name(lowered.domain, lowered.op_type)},
               {"rule", lowered.where_from},
               {"nodes_made", lowered.nodes_made}};
  json["attached"] = lowered.attached;
  json["rewrite"] = lowered.rewrite;
  if (!lowered.note.empty()) json["note"] = lowered.note;
  if (!lowered.assumption.empty()) json["assumption"] = lowered.assumption;
  return json;
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

Json to_json(const WidenedWeights& widened) {
  if (widened.products == 0) return {};
  return {{"products", widened.products},
          {"node", widened.node},
          {"operator", widened.op_type},
          {"bits", widened.bits},
          {"target_opset", widened.opset}};
}

Json to_json(const ShownNode& node) {
  Json attributes = Json::object();
  for (const auto& [name, value] : node.attributes) attributes[name] = value;
  return {{"name", node.name},
          {"operator", node.op},
          {"inputs", node.inputs},
          {"outputs", node.outputs},
          {"attributes", attributes}};
}

Json to_json(const Rewrite& rewrite) {
  Json after = Json::array();
  for (const ShownNode& node : rewrite.after) after.push_back(to_json(node));
  return {{"operator", rewrite.op}, {"rule", rewrite.where_from},       {"attached", rewrite.attached},
          {"nodes", rewrite.nodes}, {"nodes_made", rewrite.nodes_made}, {"before", to_json(rewrite.before)},
          {"after", after},         {"types", rewrite.types},           {"constants", rewrite.constants}};
}

Json to_json(const GrownWeight& grown) {
  return {{"weight", grown.weight},
          {"value", grown.value},
          {"type", grown.type},
          {"bytes", grown.bytes},
          {"held_bytes", grown.held_bytes}};
}

Json to_json(const ModelCost& cost) {
  Json grown = Json::array();
  for (const GrownWeight& each : cost.grown) grown.push_back(to_json(each));
  return {{"nodes", cost.nodes},
          {"operators", cost.operators},
          {"weight_bytes", cost.weight_bytes},
          {"held_bytes", cost.held_bytes},
          {"grown_weights", grown},
          {"multiplications", cost.multiplications},
          {"not_counted", cost.not_counted}};
}

Json slower_to_json(const LoweredNode* lowered) {
  const SlowerForm& form = *lowered->slower;
  return {{"node", lowered->node},
          {"operator", operator_name(lowered->domain, lowered->op_type)},
          {"which", form.told_by.empty() ? text_or_null(std::string(form.which)) : Json()},
          {"times", form.times},
          {"runtime", form.runtime}};
}

// The nodes that are not lowered, as groups of those of which the same is to be said.
Json grouped(const std::vector<UnloweredNode>& nodes, const Options& options) {
  Json groups = Json::array();
  std::unordered_map<std::string, size_t> group_of;
  for (const UnloweredNode& node : nodes) {
    const std::string message = unlowered_message(node, options);
    std::string key = message;
    for (const std::string before : {"'", "node:"}) {
      const std::string own = before + node.node;
      for (size_t at = 0; (at = key.find(own, at)) != std::string::npos; at += before.size())
        key.replace(at, own.size(), before);
    }
    const auto [found, is_new] = group_of.emplace(std::move(key), groups.size());
    if (is_new) {
      groups.push_back({{"operator", operator_name(node.domain, node.op_type)},
                        {"code", code_of(node).code},
                        {"title", code_of(node).title},
                        {"message", message},
                        {"nodes", Json::array()}});
    }
    groups[found->second]["nodes"].push_back(node.graph + "/" + node.node);
  }
  return groups;
}

// The nodes that were folded, by operator and by what took their place.
Json grouped(const std::deque<FoldedNode>& nodes) {
  std::map<std::pair<std::string, FoldedNode::Into>, std::vector<std::string_view>> groups;
  for (const FoldedNode& node : nodes)
    groups[{operator_name(node.domain, node.op_type), node.into}].push_back(node.node);
  Json json = Json::array();
  for (const auto& [key, names] : groups)
    json.push_back({{"operator", key.first}, {"into", key.second}, {"nodes", names}});
  return json;
}

// The rewrites, each with the names of all its nodes, and with notes and assumptions about them.
Json with_nodes(const LegalizeResult& result) {
  Json rewrites = Json::array();
  for (const Rewrite& rewrite : result.rewrites) {
    Json& json = rewrites.emplace_back(to_json(rewrite));
    json["names"] = Json::array();
    json["remarks"] = Json::array();
  }
  std::set<std::pair<uint32_t, std::string_view>> told;
  for (const LoweredNode& lowered : result.lowered) {
    Json& json = rewrites[lowered.rewrite];
    json["names"].push_back(lowered.node);
    for (const std::string_view remark : {lowered.note, lowered.assumption}) {
      if (!remark.empty() && told.emplace(lowered.rewrite, remark).second) json["remarks"].push_back(remark);
    }
  }
  return rewrites;
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

std::string json_report(const Options& options, const RunReport& report, ReportedNodes nodes) {
  const LegalizeResult& result = report.result;
  const bool in_groups = nodes == ReportedNodes::in_groups;
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
  if (in_groups) {
    text.add("rewrites", with_nodes(result));
    text.add("unlowered", grouped(result.unlowered, options));
    text.add("folded", grouped(result.folded));
    text.add("rule_texts", report.rule_texts);
  } else {
    text.add_list("lowered", result.lowered, entry);
    text.add_list("rewrites", result.rewrites, entry);
    text.add_list("unlowered", result.unlowered, [&](const UnloweredNode& node) { return as_json(node, options); });
    text.add_list("folded", result.folded, entry);
  }
  text.add_list("slower", slower_nodes(result, options.legalize.targets), slower_to_json);
  text.add("cost", {{"before", to_json(result.before)}, {"after", to_json(result.after)}});
  text.add("unused_settings", result.unused.settings);
  text.add("unused_attachments", result.unused.attachments);
  text.add("unused_keeps", report.unused_keeps);
  text.add("attached_functions", result.attached_functions);
  text.add("ir_version", result.ir_version.now != 0 ? Json(result.ir_version.now) : Json());
  text.add("ir_version_needed_by", result.ir_version.needed_by.empty() ? Json() : Json(result.ir_version.needed_by));
  text.add("dropped_fields", result.ir_version.dropped_fields);
  text.add("dropped_domains", result.dropped_domains);
  text.add("readings", result.readings);
  text.add_list("contradictions", result.warnings.contradictions, entry);
  text.add_list("doubtful", result.warnings.doubtful, entry);
  text.add_list("computed_as_float", result.warnings.computed_as_float, entry);
  const int other_opset = result.warnings.other_opset.opset;
  text.add("other_opset", other_opset != 0 ? Json(other_opset) : Json());
  text.add("widened_weights", to_json(result.widened_weights));
  text.add("functions_beside_kernels", result.warnings.functions_beside_kernels);
  text.add("kept_for_kernels", result.kept_for_kernels);
  text.add("densified_initializers", result.densified_initializers);
  text.add_list("targets", report.verdicts, [&](const TargetVerdict& verdict) { return as_json(verdict, options); });
  text.add("verified", report.verified ? to_json(*report.verified) : Json());
  return std::move(text).end();
}

}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "catch.h"
#include "report/json_report.h"
#include "report/progress_bar.h"
#include "report/rule_list.h"
#include "report/summary.h"
#include "report/unlowered_message.h"

namespace onnx_lower {
namespace {

LegalizeResult three_lowered() {
  LegalizeResult result;
  result.lowered = {{"thr1", "rknn_cst", "cstThreshold", "rules/rknn_cst/cstThreshold.onnxtxt:4", 5},
                    {"add", "custom", "my_add", "rules/custom/my_add.onnxtxt:3", 2},
                    {"thr2", "rknn_cst", "cstThreshold", "rules/rknn_cst/cstThreshold.onnxtxt:4", 5}};
  result.nodes_before = 20;
  result.nodes_after = 29;
  return result;
}

UnloweredNode without_threshold(const std::string& name) {
  Refusal refusal;
  refusal.rule = "rknn_cst::cstThreshold";
  refusal.where_from = "rules/rknn_cst/cstThreshold.onnxtxt:4";
  refusal.reason = "attribute 'threshold' is missing";
  refusal.missing_attributes = {"threshold"};
  UnloweredNode node;
  node.node = name;
  node.domain = "rknn_cst";
  node.op_type = "cstThreshold";
  node.refusals = {refusal};
  return node;
}

}  // namespace

TEST_CASE("the summary line") {
  CHECK(summary_line("thr.onnx", three_lowered(), false, 4.07) ==
        "thr.onnx: lowered 3 nodes by 2 rules (rknn_cst::cstThreshold 2, custom::my_add 1); 20 -> 29 nodes; 4.1 ms\n");
  CHECK(
      summary_line("thr.onnx", three_lowered(), true, 4.07) ==
      "thr.onnx: can lower 3 nodes by 2 rules (rknn_cst::cstThreshold 2, custom::my_add 1); 20 -> 29 nodes; 4.1 ms\n");
  LegalizeResult nothing;
  nothing.nodes_before = nothing.nodes_after = 1;
  CHECK(summary_line("a.onnx", nothing, false, 1) == "a.onnx: nothing to lower; 1 node; 1.0 ms\n");
  nothing.unlowered.resize(1);
  CHECK(summary_line("a.onnx", nothing, false, 1) == "a.onnx: lowered nothing; 1 node could not be; 1 node; 1.0 ms\n");
}

TEST_CASE("advice goes with what the user gave") {
  UnloweredNode node = without_threshold("n");
  Refusal refusal;
  refusal.rule = "acme::F";
  refusal.where_from = "mine/r1.onnxtxt:3";
  refusal.reason = "it takes 1 input";
  refusal.is_of_signature = true;
  node.refusals = {refusal, refusal};
  LegalizeResult result;
  result.unlowered = {node};
  // Nobody but its file knows a user's rule.
  Options given;
  given.rule_paths = {"other.onnxtxt", "mine/r1.onnxtxt"};
  CHECK_THAT(unlowered_message("m", result, false, Colors(false), given),
             Catch::Contains("onnx-lower --show-rule rknn_cst::cstThreshold --rules mine/r1.onnxtxt\n"));
  result.unlowered[0].target_opset_hint = 18;
  CHECK_THAT(unlowered_message("m", result, false, Colors(false)), Catch::Contains("add: --target-opset 18\n"));
  given.legalize.target_opset = 13;
  CHECK_THAT(unlowered_message("m", result, false, Colors(false), given),
             Catch::Contains("add: --target-opset 18 in place of 13\n"));
}

TEST_CASE("a node that cannot be lowered, with the setting to add") {
  LegalizeResult result;
  result.unlowered = {without_threshold("thr1")};
  CHECK(unlowered_message("model.onnx", result, false, Colors(false)) ==
        "error: model.onnx: node 'thr1' (rknn_cst::cstThreshold) cannot be lowered (OL005)\n"
        "  rule rknn_cst::cstThreshold (rules/rknn_cst/cstThreshold.onnxtxt:4): attribute 'threshold' is missing\n"
        "  add: --set rknn_cst::cstThreshold.threshold=VALUE\n");
  CHECK(unlowered_message("model.onnx", result, true, Colors(true))
            .starts_with("\x1b[1;33mwarning:\x1b[0m model.onnx: "));
}

TEST_CASE("of the forms of a rule, those are named that the node nearly fits") {
  const auto refusal = [](const std::string& reason, bool is_of_signature, std::vector<std::string> missing = {}) {
    Refusal made;
    made.rule = "custom::F";
    made.reason = reason;
    made.missing_attributes = std::move(missing);
    made.is_of_signature = is_of_signature;
    return made;
  };
  Refusal tried = refusal("its body's node 'y' (ai.onnx::Where) cannot be lowered", false);
  tried.causes = {refusal("its schema has no function body", false)};
  LegalizeResult result;
  result.unlowered = {without_threshold("n")};
  std::vector<Refusal>& refusals = result.unlowered.front().refusals;
  const auto error = [](const std::string& code) {
    return "error: m: node 'n' (rknn_cst::cstThreshold) cannot be lowered (" + code + ")\n";
  };
  const std::string advice =
      "  add: --keep rknn_cst::cstThreshold (the node stays as it is, for a runtime that has a kernel for it)\n"
      "  or:  --new-rule rknn_cst::cstThreshold (writes the beginning of a rule, to be filled in)\n";

  refusals = {refusal("dtype(x) is float, not int8", false), tried, refusal("it takes 1 input", true)};
  CHECK(unlowered_message("m", result, false, Colors(false)) ==
        error("OL007") +
            "  rule custom::F: its body's node 'y' (ai.onnx::Where) cannot be lowered\n"
            "    rule custom::F: its schema has no function body\n" +
            advice);
  refusals = {refusal("dtype(x) is float, not int8", false), refusal("it takes 1 input", true)};
  CHECK(unlowered_message("m", result, false, Colors(false)) ==
        error("OL007") + "  rule custom::F: dtype(x) is float, not int8\n" + advice);
  refusals = {refusal("a is missing", false, {"a"}), refusal("b is missing", false, {"b"}),
              refusal("c is missing", false, {"c"}), refusal("x is absent", false)};
  CHECK(unlowered_message("m", result, false, Colors(false)) == error("OL005") +
                                                                    "  rule custom::F: a is missing\n"
                                                                    "  rule custom::F: b is missing\n"
                                                                    "  add: --set rknn_cst::cstThreshold.a=VALUE\n"
                                                                    "  or:  --set rknn_cst::cstThreshold.b=VALUE\n");
  refusals = {refusal("it takes 1 input", true), refusal("it takes 2 inputs", true),
              refusal("it takes 3 inputs", true)};
  CHECK(unlowered_message("m", result, false, Colors(false)) ==
        error("OL006") +
            "  rule custom::F: it takes 1 input\n"
            "  rule custom::F: it takes 2 inputs\n"
            "  what it takes: onnx-lower --show-rule rknn_cst::cstThreshold\n" +
            advice);
}

TEST_CASE("forms that decline for the same reason share a line") {
  UnloweredNode node = without_threshold("thr1");
  for (const int line : {9, 20}) {
    node.refusals.push_back(node.refusals.front());
    node.refusals.back().where_from = "rules/rknn_cst/cstThreshold.onnxtxt:" + std::to_string(line);
  }
  node.refusals.push_back(node.refusals.front());
  node.refusals.back().reason = "attribute 'param' is missing";
  node.refusals.back().missing_attributes = {"param"};
  LegalizeResult result;
  result.unlowered = {node};
  CHECK(
      unlowered_message("m", result, false, Colors(false)) ==
      "error: m: node 'thr1' (rknn_cst::cstThreshold) cannot be lowered (OL005)\n"
      "  rule rknn_cst::cstThreshold (rules/rknn_cst/cstThreshold.onnxtxt:4, 9, 20): attribute 'threshold' is missing\n"
      "  rule rknn_cst::cstThreshold (rules/rknn_cst/cstThreshold.onnxtxt:4): attribute 'param' is missing\n"
      "  add: --set rknn_cst::cstThreshold.threshold=VALUE\n"
      "  or:  --set rknn_cst::cstThreshold.param=VALUE\n");
}

TEST_CASE("what is said of a single node") {
  CHECK(unlowered_message(without_threshold("thr1")) ==
        "node 'thr1' (rknn_cst::cstThreshold) cannot be lowered (OL005)\n"
        "  rule rknn_cst::cstThreshold (rules/rknn_cst/cstThreshold.onnxtxt:4): attribute 'threshold' is missing\n"
        "  add: --set rknn_cst::cstThreshold.threshold=VALUE");
}

TEST_CASE("many nodes with the same reason are one message") {
  LegalizeResult result;
  for (int i = 0; i < 1000; ++i) result.unlowered.push_back(without_threshold("thr" + std::to_string(i)));
  CHECK_THAT(unlowered_message("model.onnx", result, false, Colors(false)),
             Catch::StartsWith("error: model.onnx: 1000 nodes (rknn_cst::cstThreshold), 'thr0', 'thr1', "
                               "'thr2' and 997 more, cannot be lowered (OL005)\n  rule ") &&
                 Catch::EndsWith("\n  add: --set rknn_cst::cstThreshold.threshold=VALUE\n"
                                 "  for one node only: --set node:thr0.threshold=VALUE\n"));
}

TEST_CASE("many different reasons are cut off") {
  LegalizeResult result;
  for (int i = 0; i < 1000; ++i) {
    UnloweredNode node;
    node.node = "n" + std::to_string(i);
    node.domain = "custom";
    node.op_type = "F" + std::to_string(i);
    result.unlowered.push_back(node);
  }
  const std::string message = unlowered_message("model.onnx", result, false, Colors(false));
  CHECK_THAT(message, Catch::Contains("there is no rule for this operator"));
  CHECK_THAT(message, Catch::Contains("980 nodes more cannot be lowered"));
  CHECK(message.size() < 10'000);
}

TEST_CASE("an operator without rule: what it may have been meant for") {
  UnloweredNode node;
  node.node = "t";
  node.domain = "rknn_cst";
  node.op_type = "cstTreshold";
  node.similar_operators = {"rknn_cst::cstThreshold"};
  LegalizeResult result;
  result.unlowered = {node};
  CHECK_THAT(unlowered_message("m", result, false, Colors(false)),
             Catch::Contains("of similar names, and not what the node is: rknn_cst::cstThreshold"));
}

TEST_CASE("causes stand below the rule that they are of") {
  Refusal cause;
  cause.rule = "custom::inner";
  cause.reason = "the rank of 'x' is not known";
  UnloweredNode node = without_threshold("n");
  node.refusals[0].missing_attributes.clear();
  node.refusals[0].reason = "its body cannot be lowered";
  node.refusals[0].causes = {cause};
  LegalizeResult result;
  result.unlowered = {node};
  CHECK_THAT(unlowered_message("m", result, false, Colors(false)),
             Catch::Contains("\n    rule custom::inner: the rank of 'x' is not known\n  add: "));
}

TEST_CASE("the report as JSON") {
  RunReport report;
  report.result = three_lowered();
  report.result.unlowered = {without_threshold("bad \xff name")};
  report.status = ExitStatus::not_lowered;
  Options options;
  options.input = "in.onnx";
  options.rule_paths = {"mine"};
  const auto json = nlohmann::json::parse(json_report(options, report));
  CHECK(json["input"] == "in.onnx");
  CHECK(json["output"].is_null());
  CHECK(json["exit_status"] == 1);
  CHECK(json["settings"]["rules"] == nlohmann::json::array({"mine"}));
  CHECK(json["nodes_before"] == 20);
  CHECK(json["rules"][0]["operator"] == "rknn_cst::cstThreshold");
  CHECK(json["rules"][0]["nodes"] == 2);
  REQUIRE(json["lowered"].size() == 3);
  CHECK(json["lowered"][1]["node"] == "add");
  CHECK(json["lowered"][1]["rule"] == "rules/custom/my_add.onnxtxt:3");
  REQUIRE(json["unlowered"].size() == 1);
  CHECK(json["unlowered"][0]["refusals"][0]["missing_attributes"][0] == "threshold");
}

TEST_CASE("the list of rules") {
  RuleSummary text{.domain = "rknn_cst",
                   .op_type = "cstThreshold",
                   .origin = RuleOrigin::built_in,
                   .native = false,
                   .forms = {"a", "b"},
                   .file = "rules/rknn_cst/cstThreshold.onnxtxt",
                   .summary = "y = value where x <= threshold, else x.",
                   .source = "aten"};
  RuleSummary native{.domain = "ai.onnx",
                     .op_type = "Mish",
                     .origin = RuleOrigin::built_in,
                     .native = true,
                     .forms = {},
                     .file = "",
                     .summary = "y = x",
                     .source = ""};
  CHECK(rule_table({text, native}) ==
        "OPERATOR                FORMS  FROM      KERNEL  SUMMARY\n"
        "rknn_cst::cstThreshold      2  built-in  yes     y = value where x <= threshold, else x.\n"
        "ai.onnx::Mish             C++  built-in          y = x\n");
  const auto json = nlohmann::json::parse(rules_as_json({text, native}));
  REQUIRE(json.size() == 2);
  CHECK(json[0]["domain"] == "rknn_cst");
  CHECK(json[0]["forms"].size() == 2);
  CHECK(json[1]["native"] == true);
  CHECK(json[0]["kernel"] == true);
  CHECK(json[1]["kernel"] == false);
}

TEST_CASE("a progress line says how much is done of how much, within the terminal's width") {
  CHECK(progress_line("models", 3, 12, ProgressUnit::items, 79) == "models  [======>                 ]  25% 3 of 12");
  CHECK(progress_line("w.bin", 4'200'000'000, 4'200'000'000, ProgressUnit::bytes, 79) ==
        "w.bin  [========================] 100% 4.2 of 4.2 GB");
  CHECK(progress_line("w.bin", 0, 50'000'000, ProgressUnit::bytes, 79) ==
        "w.bin  [>                       ]   0% 0.0 of 50.0 MB");
  CHECK(progress_line("models", 3, 0, ProgressUnit::items, 79) == "models  3");
  CHECK(progress_line("a/long/folder/wörter.bin", 1, 2, ProgressUnit::items, 28) == "…der/wörter.bin   50% 1 of 2");
  CHECK(progress_line("ööö", 1, 2, ProgressUnit::items, 8) == "… 1 of 2");
  CHECK(progress_line("models", 3, 12, ProgressUnit::items, 79, ", 2 failed, 9 s left") ==
        "models  [======>                 ]  25% 3 of 12, 2 failed, 9 s left");
  CHECK(progress_line("models", 3, 12, ProgressUnit::items, 40, ", 2 failed, 9 s left") ==
        "models   25% 3 of 12, 2 failed, 9 s left");
}

TEST_CASE("what a progress line says beside the share: failures, and the time that the rest may take") {
  CHECK(progress_details(3, 12, 0, 1).empty());
  CHECK(progress_details(3, 12, 2, 1) == ", 2 failed");
  CHECK(progress_details(3, 12, 0, 3) == ", 9 s left");
  CHECK(progress_details(10, 1000, 1, 10) == ", 1 failed, 17 min left");
  CHECK(progress_details(1, 1000, 0, 60) == ", 16.6 h left");
  CHECK(progress_details(12, 12, 0, 60).empty());
  CHECK(progress_details(0, 12, 0, 60).empty());
  CHECK(progress_details(5, 0, 0, 60).empty());
}

}  // namespace onnx_lower

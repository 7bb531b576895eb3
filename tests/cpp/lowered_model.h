// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A model that the legalizer has gone over, for tests of what it does.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "check/check_model.h"
#include "error.h"
#include "legalizer/legalizer.h"
#include "model_file/encode_model.h"
#include "model_file/read_model.h"
#include "onnx/defs/parser.h"
#include "temporary_folder.h"

namespace onnx_lower {

// What the text of a model begins with; its custom nodes are of domain d.
inline const std::string header = R"(<ir_version: 8, opset_import: ["" : 17, "d" : 1]> )";

inline onnx::ModelProto parsed(const std::string& text) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  INFO(status.ErrorMessage());
  REQUIRE(status.IsOK());
  return model;
}

struct Outcome {
  onnx::ModelProto model;
  std::string bytes;
  std::vector<std::string> unlowered;  // nodes
  std::vector<std::string> dropped_domains;
  std::vector<std::string> assumptions;   // of lowered nodes
  std::vector<std::string> contradicted;  // values
  std::vector<std::string> unused_settings;
  // all of them, one in a line, with the places of the rules
  std::string reasons;
  std::vector<std::string> functions_beside_kernels;  // operators
  int64_t new_ir_version = 0;
  size_t lowered = 0;
  std::vector<size_t> nodes_made;  // of each lowered node
  size_t attached_functions = 0;
  std::vector<std::string> dropped_fields;
};

inline void append_reasons(const std::vector<Refusal>& refusals, std::string& text) {
  for (const Refusal& refusal : refusals) {
    text += refusal.rule + " (" + refusal.where_from + "): " + refusal.reason + "\n";
    append_reasons(refusal.causes, text);
  }
}

// Legalizes, checks, and does it all once more, which must change nothing.
inline Outcome lower_bytes(const std::string& bytes, const LegalizeOptions& options = {},
                           const std::string& user_rules = {}, bool again = true) {
  const TemporaryFolder folder(again ? "legalizer_test" : "legalizer_test_again");
  RuleLibrary library;
  if (!user_rules.empty()) library.add_user_rules(folder.write("rules.onnxtxt", user_rules));
  Model model = read_model(folder.write("model.onnx", bytes));
  check_model(model);
  const LegalizeResult result = legalize(model, library, options);
  check_model(model);
  Outcome outcome;
  for (const Bytes range : encode_model(model).ranges) outcome.bytes.append(range);
  REQUIRE(outcome.model.ParseFromString(outcome.bytes));
  for (const UnloweredNode& node : result.unlowered) {
    outcome.unlowered.push_back(node.node);
    append_reasons(node.refusals, outcome.reasons);
  }
  for (const LoweredNode& node : result.lowered) {
    outcome.nodes_made.push_back(node.nodes_made);
    if (!node.assumption.empty()) outcome.assumptions.emplace_back(node.assumption);
  }
  for (const Contradiction& found : result.warnings.contradictions) outcome.contradicted.push_back(found.value);
  outcome.unused_settings = result.unused.settings;
  outcome.dropped_domains = result.dropped_domains;
  outcome.functions_beside_kernels = result.warnings.functions_beside_kernels;
  outcome.new_ir_version = result.ir_version.now;
  outcome.lowered = result.lowered.size();
  outcome.attached_functions = result.attached_functions;
  outcome.dropped_fields = result.ir_version.dropped_fields;
  if (again) CHECK(lower_bytes(outcome.bytes, options, user_rules, false).bytes == outcome.bytes);
  return outcome;
}

inline Outcome lower(const std::string& text, const LegalizeOptions& options = {}, const std::string& user_rules = {}) {
  return lower_bytes(parsed(text).SerializeAsString(), options, user_rules);
}

// "a = Relu(x); y = Neg(a)": what the nodes are, subgraphs left out.
inline std::string nodes(const onnx::GraphProto& graph) {
  std::string text;
  const auto list = [](const auto& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
  };
  for (const onnx::NodeProto& node : graph.node()) {
    text += (text.empty() ? "" : "; ") + list(node.output()) + " = " +
            (node.domain().empty() ? "" : node.domain() + ".") + node.op_type() + "(" + list(node.input()) + ")";
  }
  return text;
}

inline std::string nodes(const Outcome& outcome) { return nodes(outcome.model.graph()); }

inline const onnx::GraphProto& body(const onnx::NodeProto& node, std::string_view name) {
  const auto found = std::find_if(node.attribute().begin(), node.attribute().end(),
                                  [&](const auto& attribute) { return attribute.name() == name; });
  REQUIRE(found != node.attribute().end());
  return found->g();
}

inline std::string imports(const Outcome& outcome) {
  std::string text;
  for (const auto& import : outcome.model.opset_import())
    text += import.domain() + ":" + std::to_string(import.version()) + " ";
  return text;
}

inline std::string error_of(const std::string& text, const std::string& user_rules = {}) {
  try {
    lower(text, {}, user_rules);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace onnx_lower

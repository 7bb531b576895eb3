// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/new_rule_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command_line/commands.h"
#include "counted.h"
#include "domain.h"
#include "error.h"
#include "lowering/lowered_model.h"
#include "model_file/output_file.h"
#include "model_file/read_model.h"
#include "report/terminal.h"
#include "rule_draft/rule_draft.h"
#include "spelling.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// Which operators are lowered or could not be, for the message that the wanted one is not among
// them.
std::string what_there_is(const std::string& wanted, const LegalizeResult& result) {
  constexpr size_t most_names = 8;
  std::vector<std::string> names;
  const auto add = [&](std::string_view domain, std::string_view op_type) {
    const std::string name = operator_name(domain, op_type);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const UnloweredNode& node : result.unlowered) add(node.domain, node.op_type);
  for (const LoweredNode& node : result.lowered) add(node.domain, node.op_type);
  if (names.empty()) return "none of its nodes is to be lowered";
  const std::string nearest = nearest_name(wanted, names);
  if (!nearest.empty()) return fmt::format("is it {}?", nearest);
  const bool is_long = names.size() > most_names;
  if (is_long) names.resize(most_names);
  return fmt::format("there is: {}{}", fmt::join(names, ", "), is_long ? " …" : "");
}

// The run that the user wanted, with the rule.
std::string run_with(const Options& options, const fs::path& rule) {
  std::string command = "onnx-lower";
  bool has_output = false;
  for (size_t i = 0; i < options.arguments.size(); ++i) {
    const std::string& argument = options.arguments[i];
    const bool is_left_out = argument == "--new-rule" || argument == "--output-dir";
    if (is_left_out) ++i;
    if (is_left_out || argument.starts_with("--new-rule=") || argument.starts_with("--output-dir=")) continue;
    has_output |= argument.starts_with("-o") || argument.starts_with("--output");
    const bool is_plain = argument.find_first_of(" '\"$&|;<>()*?[]#~`\\!") == std::string::npos && !argument.empty();
    command += is_plain ? " " + argument : fmt::format(" '{}'", argument);
  }
  return fmt::format("{}{} --rules {}", command, has_output ? "" : " -o OUT", rule.string());
}

void write_new(const fs::path& path, const std::string& text) {
  std::error_code error;
  if (fs::exists(path, error)) {
    throw FileError(
        fmt::format("{}: is there already, and is not written over: remove it, or name another folder by "
                    "--output-dir DIR",
                    path.string()));
  }
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  write_output(path.string(), text);
}

}  // namespace

void begin_rule(const Options& options) {
  const OperatorPattern& wanted = *options.legalize.exemplified;
  const std::string name = operator_name(wanted.domain, wanted.op_type);
  const std::string input = options.input == "-" ? "<stdin>" : options.input;
  RuleLibrary library = library_for(options);
  LoweredModel lowered = checked(read_model(options.input));
  lower(lowered, library, options.legalize);
  DraftedOperator op{.domain = wanted.domain,
                     .op_type = wanted.op_type,
                     .model = fs::path(input).filename().string(),
                     .examples = std::move(lowered.result.examples)};
  if (op.examples.empty()) {
    throw UsageError(fmt::format("--new-rule {}: {} has no such node that is to be lowered; {}", name, input,
                                 what_there_is(name, lowered.result)));
  }
  op.sort();
  const fs::path folder = options.many.output_dir;
  const fs::path rule = folder / (op.file_stem() + ".onnxtxt");
  const fs::path test = folder / ("test_" + op.file_stem() + ".py");
  const std::string test_text = drafted_test(op);
  write_new(rule, drafted_rule(op));
  if (!test_text.empty()) write_new(test, test_text);
  if (options.verbosity == Verbosity::quiet) return;
  size_t nodes = 0;
  for (const NodeExample& example : op.examples) nodes += example.nodes;
  print_message(
      fmt::format("{}: {} of {} in {}\n"
                  "  {}: the rule; write its body in the place of {}\n"
                  "{}"
                  "then: onnx-lower --check-rules {}\n"
                  "{}"
                  "      {}\n",
                  input, counted(nodes, "node"), name, counted(op.examples.size(), "form"), rule.string(), to_fill_in,
                  test_text.empty()
                      ? ""
                      : fmt::format("  {}: its test; write in `expected` what the operator computes\n", test.string()),
                  rule.string(), test_text.empty() ? "" : fmt::format("      python3 {}\n", test.string()),
                  run_with(options, rule)));
}

}  // namespace onnx_lower

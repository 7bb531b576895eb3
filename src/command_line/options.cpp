// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "command_line/help_layout.h"
#include "command_line/option_table.h"
#include "command_line/option_values.h"
#include "domain.h"
#include "error.h"
#include "legalizer/opset_trials.h"
#include "report/terminal.h"
#include "source_text/characters.h"
#include "spelling.h"
#include "standard_operators/operator_table.h"
#include "version.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

constexpr const char* color_names[] = {"auto", "always", "never"};

// The options as CLI11 stores them, before their values are parsed.
struct RawOptions {
  std::vector<std::string> settings, readings;
  std::string shown_rule, new_rule;
  std::string color = "auto";
  std::string target_opset, ir_version, unroll;
  std::string target;
  std::vector<std::string> without;
  std::vector<std::string> input_shapes, dimensions, input_values;
  std::string external_data = "keep";
  std::string jobs, shard, timeout;
  std::string seed, runs;
  bool help = false, version = false, list_rules = false, list_targets = false, expand = false, quiet = false,
       verbose = false;
};

// Declares options to CLI11, as the table has them. It compares each option that is declared with
// all before it, which took a sixth of a small run: of the options without a short name, only those
// are declared that the arguments name.
class Declaration {
 public:
  // `arguments`: null where all options are to be declared.
  Declaration(CLI::App& app, const std::vector<std::string>* arguments) : app_(app), arguments_(arguments) {}

  CLI::App& app() { return app_; }

  // An option that has values; of one that may be given again, each has one.
  template <typename Value>
  void option(const option_table::Row& row, Value& value) {
    if (!is_wanted(row.names)) return;
    CLI::Option* option = with_value_and_group(app_.add_option(row.names, value, row.help), row);
    if constexpr (!std::is_same_v<Value, std::string>) option->allow_extra_args(false);
  }

  // One of which each occurrence has at least one value.
  void option_with_several(const option_table::Row& row, std::vector<std::string>& values) {
    if (!is_wanted(row.names)) return;
    with_value_and_group(app_.add_option(row.names, values, row.help), row)
        ->expected(1, CLI::detail::expected_max_vector_size);
  }

  // An option that may stand alone.
  template <typename Value>
  void flag(const option_table::Row& row, Value& value) {
    if (is_wanted(row.names)) with_value_and_group(app_.add_flag(row.names, value, row.help), row);
  }

 private:
  static CLI::Option* with_value_and_group(CLI::Option* option, const option_table::Row& row) {
    if (row.value[0] != '\0') option->type_name(row.value);
    if (row.group[0] != '\0') option->group(row.group);
    return option;
  }

  bool is_wanted(std::string_view names) const {
    if (arguments_ == nullptr || !names.starts_with("--")) return true;
    names = names.substr(0, names.find('{'));  // behind which a flag's value stands
    return std::ranges::any_of(*arguments_, [&](std::string_view argument) {
      return argument.starts_with(names) && (argument.size() == names.size() || argument[names.size()] == '=');
    });
  }

  CLI::App& app_;
  const std::vector<std::string>* arguments_;
};

// Declares the options on what is read and written, and on nodes that cannot be lowered.
void declare_files(Declaration& declaration, Options& options, RawOptions& raw) {
  declaration.app()
      .add_option("IN", options.many.inputs,
                  "Model to read, .onnx or .onnxtxt; - for standard input; several, and folders, with "
                  "--output-dir or --check")
      ->option_text("...");
  declaration.option(option_table::output, options.output);
  declaration.flag(option_table::check, options.check_only);
  declaration.option(option_table::set, raw.settings);
  declaration.option(option_table::as, raw.readings);
  declaration.option(option_table::keep, options.kept_texts);
  declaration.flag(option_table::allow_unlowered, options.allow_unlowered);
}

// Declares the options on how nodes are lowered, and for which runtimes.
void declare_lowering(Declaration& declaration, Options& options, RawOptions& raw) {
  declaration.option(option_table::target, raw.target);
  declaration.option(option_table::without, raw.without);
  declaration.flag(option_table::allow_narrowing, options.legalize.allow_narrowing);
  declaration.option(option_table::unroll, raw.unroll);
  declaration.option(option_table::target_opset, raw.target_opset);
  declaration.option(option_table::ir_version, raw.ir_version);
  declaration.flag(option_table::fold, options.legalize.fold);
  declaration.option(option_table::input_shape, raw.input_shapes);
  declaration.option(option_table::dim, raw.dimensions);
  declaration.option(option_table::input_value, raw.input_values);
  declaration.flag(option_table::expand, raw.expand);
  declaration.flag(option_table::attach, options.attached_texts);
  declaration.option(option_table::external_data, raw.external_data);
  declaration.flag(option_table::allow_external_paths, options.write.allow_external_paths);
}

void declare_rules(Declaration& declaration, Options& options, RawOptions& raw) {
  declaration.option(option_table::rules, options.rule_paths);
  declaration.flag(option_table::list_rules, raw.list_rules);
  declaration.flag(option_table::list_targets, raw.list_targets);
  declaration.option(option_table::show_target, options.shown_target);
  declaration.flag(option_table::json, options.json);
  declaration.option(option_table::explain, options.explained);
  declaration.option(option_table::show_rule, raw.shown_rule);
  declaration.option_with_several(option_table::check_rules, options.checked_paths);
  declaration.option(option_table::new_rule, raw.new_rule);
}

void declare_many(Declaration& declaration, Options& options, RawOptions& raw) {
  declaration.option(option_table::output_dir, options.many.output_dir);
  declaration.option(option_table::manifest, options.many.manifest);
  declaration.option(option_table::jobs, raw.jobs);
  declaration.option(option_table::shard, raw.shard);
  declaration.flag(option_table::force, options.many.force);
  declaration.option(option_table::timeout, raw.timeout);
}

void declare_verifying(Declaration& declaration, Options& options, RawOptions& raw) {
  VerifyOptions& verify = options.verify;
  declaration.flag(option_table::verify, verify.is_asked);
  declaration.option(option_table::onnxruntime, verify.onnxruntime);
  declaration.option(option_table::verify_inputs, verify.inputs_file);
  declaration.option(option_table::seed, raw.seed);
  declaration.option(option_table::runs, raw.runs);
}

void declare_messages(Declaration& declaration, Options& options, RawOptions& raw) {
  declaration.option(option_table::report, options.report_path);
  declaration.flag(option_table::diff, options.diff);
  declaration.flag(option_table::quiet, raw.quiet);
  declaration.flag(option_table::verbose, raw.verbose);
  declaration.option(option_table::color, raw.color);
  declaration.flag(option_table::version, raw.version);
  declaration.flag(option_table::help, raw.help);
}

// Declares the options, in the order in which --help lists them; where `arguments` are given, only
// those that these may name.
void declare(CLI::App& app, Options& options, RawOptions& raw, const std::vector<std::string>* arguments = nullptr) {
  app.set_help_flag();
  app.name("onnx-lower");
  Declaration declaration(app, arguments);
  declare_files(declaration, options, raw);
  declare_lowering(declaration, options, raw);
  declare_rules(declaration, options, raw);
  declare_many(declaration, options, raw);
  declare_verifying(declaration, options, raw);
  declare_messages(declaration, options, raw);
}

ColorMode parse_color(const std::string& text) {
  for (int i = 0; i < 3; ++i) {
    if (text == color_names[i]) return static_cast<ColorMode>(i);
  }
  throw UsageError(fmt::format("--color {}: write auto, always or never", text));
}

int64_t parse_version(const char* option, const std::string& text, int64_t oldest, int64_t newest) {
  int64_t version = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool is_number = read.ec != std::errc::invalid_argument && read.ptr == text.data() + text.size();
  if (!is_number || (version < oldest && read.ec == std::errc()) || text.starts_with('-'))
    throw UsageError(fmt::format("{} {}: write a whole number from {} to {}", option, text, oldest, newest));
  if (read.ec != std::errc() || version > newest)
    throw UsageError(fmt::format("{} {}: the newest that is known is {}", option, text, newest));
  return version;
}

ExternalDataMode parse_external_data(const std::string& text) {
  if (text == "keep") return ExternalDataMode::keep;
  if (text == "embed") return ExternalDataMode::embed;
  if (text == "split") return ExternalDataMode::split;
  throw UsageError(fmt::format("--external-data {}: write keep, embed or split", text));
}

// Parses an integer from 1 to `most`.
std::optional<uint64_t> parse_count(std::string_view text, uint64_t most) {
  const std::optional<uint64_t> count = number_in<uint64_t>(text);
  return count && *count >= 1 && *count <= most ? count : std::nullopt;
}

int parse_jobs(const std::string& text) {
  constexpr uint64_t most = 1024;
  const std::optional<uint64_t> jobs = parse_count(text, most);
  if (!jobs) throw UsageError(fmt::format("--jobs {}: write a number from 1 to {}", text, most));
  return static_cast<int>(*jobs);
}

int64_t parse_steps(const std::string& text) {
  const std::optional<int64_t> steps = number_in<int64_t>(text);
  if (!steps || *steps < 0 || *steps > largest_most_steps)
    throw UsageError(fmt::format("--unroll {}: write a number from 0 to {}", text, largest_most_steps));
  return *steps;
}

Shard parse_shard(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto count = parse_count(std::string_view(text).substr(slash + 1), 1'000'000'000);
    const auto index = parse_count(std::string_view(text).substr(0, slash), count.value_or(0));
    if (index) return {*index, *count};
  }
  throw UsageError(fmt::format("--shard {}: write I/N, with I from 1 to N", text));
}

double parse_timeout(const std::string& text) {
  const std::optional<double> seconds = number_in<double>(text);
  if (!seconds || !(*seconds > 0 && *seconds < 1e9))
    throw UsageError(fmt::format("--timeout {}: write a positive number of seconds", text));
  return *seconds;
}

bool wants_many_models(const Options& options) {
  const ManyModelsOptions& many = options.many;
  if (!many.output_dir.empty() || !many.manifest.empty()) return true;
  if (!options.check_only || many.inputs.empty()) return false;
  std::error_code ignored;
  return many.inputs.size() > 1 || std::filesystem::is_directory(many.inputs[0], ignored);
}

Task task_of(const Options& options, const RawOptions& raw) {
  std::vector<std::pair<Task, const char*>> asked;
  if (raw.list_rules) asked.emplace_back(Task::list_rules, "--list-rules");
  if (!raw.shown_rule.empty()) asked.emplace_back(Task::show_rule, "--show-rule");
  if (!options.checked_paths.empty()) asked.emplace_back(Task::check_rules, "--check-rules");
  if (raw.list_targets) asked.emplace_back(Task::list_targets, "--list-targets");
  if (!options.shown_target.empty()) asked.emplace_back(Task::show_target, "--show-target");
  if (!options.explained.empty()) asked.emplace_back(Task::explain, "--explain");
  if (!raw.new_rule.empty()) asked.emplace_back(Task::new_rule, "--new-rule");
  if (asked.size() == 1 && asked[0].first == Task::new_rule) return Task::new_rule;
  if (asked.empty() && options.verify.is_asked && options.output.empty() && !options.check_only &&
      options.many.output_dir.empty() && options.many.manifest.empty())
    return Task::verify;
  if (asked.empty()) return wants_many_models(options) ? Task::lower_many : Task::lower;
  if (asked.size() > 1) throw UsageError(fmt::format("{} and {} do not go together", asked[0].second, asked[1].second));
  if (!options.many.inputs.empty() || !options.output.empty() || options.check_only || wants_many_models(options)) {
    throw UsageError(fmt::format("{} takes no model", asked[0].second));
  }
  return asked[0].first;
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Answers those who write a command in the first place, as other tools have them: what is done is
// said by options.
void refuse_command(const Options& options) {
  const std::vector<std::string>& inputs = options.many.inputs;
  if (inputs.empty()) return;
  const std::string& word = inputs.front();
  if (word.find_first_of("./") != std::string::npos || word == "-" || exists(word)) return;
  const std::string model = inputs.size() > 1 ? inputs[1] : "IN";
  std::string instead;
  if (word == "verify") {
    instead = inputs.size() > 2 ? fmt::format("onnx-lower --verify {} {}", model, inputs[2])
                                : fmt::format("onnx-lower {} -o OUT --verify", model);
  } else if (word == "check") {
    instead = fmt::format("onnx-lower --check {}", model);
  } else if (word == "lower" || word == "convert" || word == "run") {
    instead = fmt::format("onnx-lower {} -o {}", model, options.output.empty() ? "OUT" : options.output);
  } else {
    const std::vector<std::string> names = option_names();
    if (std::ranges::find(names, word) == names.end()) return;
    instead = fmt::format("onnx-lower --{}", word);
  }
  throw UsageError(fmt::format("there is no file {}, and onnx-lower has no commands: write {}", word, instead));
}

void check_files(Options& options, const RawOptions& raw) {
  if (options.many.inputs.size() > 1 &&
      std::ranges::find(options.attached_texts, "*") != options.attached_texts.end()) {
    throw UsageError(fmt::format("unexpected argument {}: to attach one operator only write --attach={}",
                                 options.many.inputs[1], options.many.inputs[1]));
  }
  if (options.many.inputs.size() > 1) {
    const std::string& second = options.many.inputs[1];
    if (options.many.inputs.size() == 2 && options.output.empty()) {
      // Of a file that is there, nobody wants to be told to write over it.
      throw UsageError(
          exists(second)
              ? fmt::format(
                    "unexpected argument {}: to lower both write --output-dir DIR, to compare them --verify {} {}",
                    second, options.many.inputs[0], second)
              : fmt::format("unexpected argument {}: the output is given with -o: -o {} (and for several models "
                            "--output-dir DIR)",
                            second, second));
    }
    throw UsageError(
        fmt::format("unexpected argument {}: for several models give --output-dir DIR in place of -o", second));
  }
  if (!options.many.inputs.empty()) options.input = options.many.inputs[0];
  const std::pair<bool, const char*> only_with_many[] = {{!raw.jobs.empty(), "--jobs"},
                                                         {!raw.shard.empty(), "--shard"},
                                                         {!raw.timeout.empty(), "--timeout"},
                                                         {options.many.force, "--force"}};
  for (const auto& [given, name] : only_with_many) {
    if (given)
      throw UsageError(fmt::format("{} goes with --output-dir, --manifest or --check of several models", name));
  }
  if (options.input.empty()) throw UsageError("no model to read is given");
  if (options.check_only && !options.output.empty())
    throw UsageError("--check writes no model: leave out -o, or --check");
  refuse_other_formats(options.output);
  if (options.diff && (options.report_path == "-" || options.output == "-"))
    throw UsageError("--diff prints on standard output: give the model and the report names of files");
  if (!options.check_only && !options.diff && options.output.empty()) {
    throw UsageError("no output is given: add -o OUT (-o - for standard output), or --check to write nothing");
  }
  if (options.output == "-" && options.write.external_data == ExternalDataMode::split)
    throw UsageError("--external-data split puts a file beside the output: give -o OUT, not -");
  if (options.report_path == "-" && options.output == "-")
    throw UsageError("model and report cannot both go to standard output");
}

void interpret_report(Options& options) {
  if (options.report_path.empty()) return;
  options.report_format = report_format(options.report_path).value_or(ReportFormat::json);
  options.legalize.shows_rewrites = options.task == Task::lower || options.report_format != ReportFormat::json;
}

// The two models of --verify alone.
void check_verified(Options& options) {
  const std::vector<std::string>& inputs = options.many.inputs;
  if (inputs.size() != 2) {
    const std::string model = inputs.empty() ? "IN" : inputs[0];
    throw UsageError(
        fmt::format("--verify compares a model with what is made of it: give that a name ({} -o OUT "
                    "--verify), or the two models (--verify {} OUT)",
                    model, model));
  }
  if (inputs[0] == "-" && inputs[1] == "-") throw UsageError("standard input is one model, not both");
  options.input = inputs[0];
  options.verify.second = inputs[1];
}

// The options on how models are verified.
void interpret_verifying(Options& options, const RawOptions& raw) {
  constexpr uint64_t most_runs = 1000;
  VerifyOptions& verify = options.verify;
  const std::pair<bool, const char*> only_with_verify[] = {{!verify.onnxruntime.empty(), "--onnxruntime"},
                                                           {!verify.inputs_file.empty(), "--verify-inputs"},
                                                           {!raw.seed.empty(), "--seed"},
                                                           {!raw.runs.empty(), "--runs"}};
  for (const auto& [given, name] : only_with_verify) {
    if (given && !verify.is_asked) throw UsageError(fmt::format("{} goes with --verify", name));
  }
  if (!raw.seed.empty()) {
    const std::optional<uint64_t> seed = number_in<uint64_t>(raw.seed);
    if (!seed) throw UsageError(fmt::format("--seed {}: write a whole number from 0 on", raw.seed));
    verify.seed = *seed;
  }
  if (raw.runs.empty()) return;
  const std::optional<uint64_t> runs = parse_count(raw.runs, most_runs);
  if (!runs) throw UsageError(fmt::format("--runs {}: write a number from 1 to {}", raw.runs, most_runs));
  verify.runs = static_cast<int>(*runs);
}

void interpret_attached(Options& options) {
  LegalizeOptions& legalize = options.legalize;
  for (const std::string& text : options.attached_texts) {
    if (text == "*") {
      legalize.attach_all = true;
      continue;
    }
    OperatorPattern pattern = parse_operator_pattern("--attach", text);
    if (is_standard_domain(pattern.domain)) {
      throw UsageError(fmt::format(
          "--attach={}: runtimes look for no function in a standard domain; without it, such nodes are expanded",
          text));
    }
    legalize.attached.push_back(std::move(pattern));
  }
  if (options.attached_texts.empty()) return;
  for (const std::shared_ptr<const TargetFile>& target : legalize.targets) {
    if (!target->takes_functions)
      throw UsageError(fmt::format("--attach and --target {} do not go together: it executes no model-local functions",
                                   target->name));
  }
}

void check_many_models(const Options& options) {
  const ManyModelsOptions& many = options.many;
  if (options.diff) throw UsageError("--diff is for one model: it does not go with --output-dir, nor with several");
  if (!options.output.empty()) {
    throw UsageError(many.manifest.empty() ? "-o is for one model: it does not go with --output-dir, or --check"
                                           : "-o is for one model: the manifest says where each output goes");
  }
  if (options.check_only && !many.output_dir.empty())
    throw UsageError("--check writes no model: leave out --output-dir, or --check");
  if (!many.manifest.empty() && !many.inputs.empty())
    throw UsageError("give the models on the command line or in a manifest, not both");
  if (many.manifest.empty() && many.inputs.empty()) throw UsageError("no model to read is given");
  for (const std::string& input : many.inputs) {
    if (input.empty()) throw UsageError("a model's name is empty");
    if (input == "-") throw UsageError("standard input is one model, and has no name to write it under: use -o");
  }
}

// The model and the operator of --new-rule.
void interpret_new_rule(Options& options, const RawOptions& raw) {
  if (options.many.inputs.size() != 1)
    throw UsageError(fmt::format("--new-rule {}: give one model, in which such nodes are", raw.new_rule));
  if (options.check_only) throw UsageError("--new-rule and --check do not go together");
  options.input = options.many.inputs.front();
  options.legalize.exemplified = parse_operator("--new-rule", raw.new_rule);
}

// Rejects runtimes that have no opset or no IR version in common.
void check_common_versions(const std::string& text, const Targets& targets) {
  if (common_opsets(targets, "").is_empty() || common_ir_versions(targets).is_empty())
    throw UsageError(fmt::format("--target {}: no version of ONNX is taken by all of these", text));
}

// Without --target, the output is limited by what limits it without --without.
void add_restrictions(const std::vector<std::string>& texts, Options& options) {
  if (texts.empty()) return;
  Targets& targets = options.legalize.targets;
  const bool has_runtimes = !targets.empty();
  if (!has_runtimes) targets.push_back(find_target(std::string(default_target)));
  for (const std::string& text : texts) targets.push_back(target_without(parse_without(text), text));
  options.without_texts = texts;
}

void interpret(Options& options, const RawOptions& raw) {
  options.color = parse_color(raw.color);
  if (raw.help || raw.version) {
    options.task = raw.help ? Task::print_help : Task::print_version;
    return;
  }
  if (raw.quiet && raw.verbose) throw UsageError("-q and -v do not go together");
  options.verbosity = raw.quiet ? Verbosity::quiet : raw.verbose ? Verbosity::verbose : Verbosity::normal;
  options.task = task_of(options, raw);
  options.asks_targets = options.check_only && (!raw.quiet || options.json || !options.report_path.empty());
  options.write.external_data = parse_external_data(raw.external_data);
  const bool is_list = options.task == Task::list_rules || options.task == Task::list_targets;
  if (options.json && !is_list && !options.check_only)
    throw UsageError("--json goes with --check, --list-rules and --list-targets; a run's report is --report FILE.json");
  if (options.task == Task::show_rule) {
    const size_t colons = raw.shown_rule.find("::");
    if (colons == std::string::npos || colons + 2 == raw.shown_rule.size()) {
      const size_t dot = raw.shown_rule.rfind('.');
      const bool is_dotted = dot != std::string::npos && dot > 0 && dot + 1 < raw.shown_rule.size();
      throw UsageError(fmt::format(
          "--show-rule {}: write {}", raw.shown_rule,
          is_dotted ? raw.shown_rule.substr(0, dot) + "::" + raw.shown_rule.substr(dot + 1) : "DOMAIN::OP"));
    }
    options.shown_domain = normalized_domain(std::string_view(raw.shown_rule).substr(0, colons));
    options.shown_op_type = raw.shown_rule.substr(colons + 2);
  }
  interpret_report(options);
  interpret_verifying(options, raw);
  if (options.task == Task::verify) check_verified(options);
  if (options.task == Task::lower || options.task == Task::lower_many) refuse_command(options);
  if (options.task == Task::new_rule) interpret_new_rule(options, raw);
  if (options.task == Task::lower) check_files(options, raw);
  if (options.task == Task::lower_many) {
    check_many_models(options);
    options.write.sync = Sync::always;  // a record tells the next run that the output is complete
    if (!raw.jobs.empty()) options.many.jobs = parse_jobs(raw.jobs);
    if (!raw.shard.empty()) options.many.shard = parse_shard(raw.shard);
    if (!raw.timeout.empty()) options.many.timeout = parse_timeout(raw.timeout);
  }
  if (!raw.target.empty() && raw.target != any_target) {
    options.legalize.targets = find_targets(raw.target);
    check_common_versions(raw.target, options.legalize.targets);
    options.write.raw_types = types_as_raw_data(options.legalize.targets);
    options.target_paths = target_files_in(raw.target);
  }
  add_restrictions(raw.without, options);
  for (const std::string& text : raw.settings) options.legalize.settings.push_back(parse_attribute_setting(text));
  for (const std::string& text : raw.readings) options.legalize.readings.push_back(parse_reading(text));
  for (const std::string& text : options.kept_texts)
    options.legalize.kept.push_back(parse_operator_pattern("--keep", text));
  for (const std::string& text : raw.input_shapes) options.legalize.input_shapes.push_back(parse_input_shape(text));
  for (const std::string& text : raw.dimensions) options.legalize.dimensions.push_back(parse_named_dimension(text));
  for (const std::string& text : raw.input_values) options.legalize.input_values.push_back(parse_input_value(text));
  // What is computed of a value that never changes is known; and of shapes that never change, a
  // runtime finds it out when it loads the model, and refuses what does not go together with it.
  options.legalize.fold |= !raw.input_values.empty() || (options.legalize.fixes_inputs() && !raw.target.empty());
  interpret_attached(options);
  if (raw.expand && options.legalize.attach_all) throw UsageError("--expand and --attach do not go together");
  if (!raw.unroll.empty()) options.legalize.most_steps = parse_steps(raw.unroll);
  if (!raw.target_opset.empty())
    options.legalize.target_opset = parse_version("--target-opset", raw.target_opset, 1, newest_opset(""));
  // Before version 3, models did not import operator sets.
  if (!raw.ir_version.empty())
    options.legalize.ir_version = parse_version("--ir-version", raw.ir_version, 3, onnx::Version::IR_VERSION);
}

constexpr const char* examples_and_exit_status = R"(
Examples:
  onnx-lower in.onnx -o out.onnx
  onnx-lower in.onnx -o out.onnx --set rknn_cst::cstThreshold.threshold=0.1
  onnx-lower in.onnx -o out.onnx --rules my_rules/ --report report.json
  onnx-lower --check in.onnx
  onnx-lower --check in.onnx --target tensorrt,openvino
  onnx-lower --verify in.onnx out.onnx
  cat in.onnx | onnx-lower - -o - > out.onnx
  onnx-lower zoo/ --output-dir lowered/ -j 8 > results.jsonl
  onnx-lower --show-rule rknn_cst::cstThreshold
  onnx-lower in.onnx --new-rule acme::Swish

Exit status:
  0  done
  1  something could not be lowered
  2  wrong usage, or the run would write over a file that it needs
  3  the model or a rule is not valid
  4  a file could not be read or written
  5  some of many models failed; the others are done
  6  with --check: it can be lowered, and does not run as it is
  7  --verify: the models compute different numbers
)";

// The options that affect how a run works and what it prints, but not its output. All other options
// count as affecting the output: if one is missing here, models are lowered again without need, but
// no outdated output is kept.
constexpr std::string_view options_without_effect[] = {
    "IN",        "--output", "--check", "--rules", "--output-dir", "--manifest", "--jobs",    "--shard", "--force",
    "--timeout", "--report", "--diff",  "--quiet", "--verbose",    "--color",    "--version", "--help",
};

std::string effect_of(const CLI::App& app, const Targets& targets) {
  std::string effect;
  for (const std::shared_ptr<const TargetFile>& target : targets) effect += target->text + '\0';
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_single_name();
    const std::string dashed = option->get_positional() ? name : "--" + name;
    if (option->empty() || std::ranges::find(options_without_effect, dashed) != std::end(options_without_effect))
      continue;
    effect += dashed + '\0';
    for (const std::string& value : option->results()) effect += value + '\0';
    effect += '\0';
  }
  return effect;
}

// The long names of all options, with dashes.
std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// "; did you mean --output-dir?", when an option has a similar name, or one that begins like this.
std::string suggestion_for(std::string_view unknown) {
  constexpr size_t most_typos = 2;
  const std::string_view given = unknown.substr(0, unknown.find('='));
  std::vector<std::string> names = option_names();
  for (std::string& name : names) name.insert(0, "--");
  std::string nearest = nearest_name(given, names, given.size() < 7 ? 1 : most_typos);
  if (nearest.empty() && given.size() > 4) {
    for (const std::string& name : names) {
      if (name.starts_with(given)) nearest = name;
    }
  }
  return nearest.empty() ? std::string() : fmt::format(": did you mean {}?", nearest);
}

// Rejects "-output x", which CLI11 would read as "-o utput" and a model x.
void refuse_long_names_with_one_dash(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (!argument.starts_with('-') || argument.starts_with("--") || argument.size() <= 2) continue;
    const std::string name = argument.substr(1, argument.find('=') - 1);
    const std::vector<std::string> names = option_names();
    if (std::ranges::find(names, name) != names.end())
      throw UsageError(fmt::format("{}: a name of more than one letter has two dashes: --{}", argument, name));
  }
}

// Rewords messages of CLI11 such as "--output: 1 required OUT missing" and "--output: At Most 1
// required but received 2".
std::string about_number_of_values(const CLI::App& app, std::string_view message) {
  const std::string name(message.substr(0, message.find(':')));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return std::string(message);
  if (message.find("missing") == std::string_view::npos) return fmt::format("{} is given more than once", name);
  return fmt::format("{} lacks its value: {} {}", name, name, option->get_type_name());
}

void parse(CLI::App& app, const std::vector<std::string>& arguments) {
  refuse_long_names_with_one_dash(arguments);
  try {
    // CLI11 takes the arguments in reverse order.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ExtrasError&) {
    const std::string unexpected = app.remaining().front();
    if (!unexpected.starts_with("-")) throw UsageError(fmt::format("unexpected argument {}", unexpected));
    throw UsageError(fmt::format("unknown option {}{}", unexpected, suggestion_for(unexpected)));
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(about_number_of_values(app, error.what()));
  } catch (const CLI::ConversionError& error) {
    // The message looks like "Could not convert: --quiet = abc".
    const std::string_view message = error.what();
    const size_t name = std::min(message.find("--"), message.size());
    throw UsageError(fmt::format("{} takes no value", message.substr(name, message.find(' ', name) - name)));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  // Rejects empty values: they come from a script whose variable is not set. (An empty
  // -o is rejected elsewhere.)
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_expected_max() == 0 || option->get_name() == "--output") continue;
    if (std::ranges::find(option->results(), std::string()) != option->results().end())
      throw UsageError(fmt::format("{}: its value is empty", option->get_name()));
  }
}

// With `may_be_given_again`, the last occurrence of an option with a single value counts.
Options options_from(std::vector<std::string> arguments, bool may_be_given_again) {
  Options options;
  options.arguments = std::move(arguments);
  RawOptions raw;
  CLI::App app;
  declare(app, options, raw, &options.arguments);
  for (CLI::Option* option : app.get_options()) {
    if (may_be_given_again && option->get_items_expected_max() == 1)
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  parse(app, options.arguments);
  interpret(options, raw);
  options.effect = effect_of(app, options.legalize.targets);
  return options;
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options = options_from({argv + 1, argv + argc}, false);
  if (options.verbosity == Verbosity::quiet) return options;
  for (const std::shared_ptr<const TargetFile>& target : options.legalize.targets) {
    if (!target->found_as.empty()) print_message(fmt::format("note: --target {}\n", target->found_as));
  }
  return options;
}

Options options_of_model(const Options& common, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name != "--rules" && std::ranges::find(options_without_effect, name) != std::end(options_without_effect))
      throw UsageError(fmt::format("{} is for the whole run, not for one model", name));
  }
  std::vector<std::string> all = common.arguments;
  all.insert(all.end(), arguments.begin(), arguments.end());
  return options_from(std::move(all), true);
}

std::vector<std::string> option_names() {
  Options options;
  RawOptions raw;
  CLI::App app;
  declare(app, options, raw);
  std::vector<std::string> names;
  for (const std::string& name : long_names(app)) names.push_back(name.substr(2));
  return names;
}

ColorMode color_mode_of(int argc, const char* const* argv) {
  ColorMode mode = ColorMode::automatic;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool separate = argument == "--color" && i + 1 < argc;
    if (!separate && !argument.starts_with("--color=")) continue;
    const std::string_view value = separate ? std::string_view(argv[i + 1]) : argument.substr(argument.find('=') + 1);
    for (int name = 0; name < 3; ++name) {
      if (value == color_names[name]) mode = static_cast<ColorMode>(name);
    }
  }
  return mode;
}

std::string help_text() {
  Options options;
  RawOptions raw;
  CLI::App app("Replaces custom nodes of an ONNX model by standard ONNX operators.");
  declare(app, options, raw);
  app.formatter(std::make_shared<HelpLayout>());
  return app.help() + examples_and_exit_status;
}

std::string version_text() {
  return fmt::format("onnx-lower {}\nonnx {}\nprotobuf {}\n", tool_version, onnx_version, protobuf_version);
}

}  // namespace onnx_lower

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
#include <utility>

#include "command_line/help_layout.h"
#include "command_line/option_values.h"
#include "domain.h"
#include "error.h"
#include "source_text/characters.h"
#include "spelling.h"
#include "standard_operators/operator_table.h"
#include "version.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// The name of the target that is used without --target.
constexpr std::string_view any_target = "any";

constexpr const char* color_names[] = {"auto", "always", "never"};

// The options as CLI11 stores them, before their values are parsed.
struct RawOptions {
  std::vector<std::string> settings;
  std::string shown_rule;
  std::string color = "auto";
  std::string target_opset, ir_version;
  std::string target;
  std::vector<std::string> input_shapes, dimensions, input_values;
  std::string external_data = "keep";
  std::string jobs, shard, timeout;
  bool help = false, version = false, list_rules = false, list_targets = false, expand = false, quiet = false,
       verbose = false;
};

// Declares the options on what is read and written, and on nodes that cannot be lowered.
void declare_files(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("IN", options.many.inputs,
                 "Model to read, .onnx or .onnxtxt; - for standard input; several, and folders, with "
                 "--output-dir or --check")
      ->option_text("...");
  app.add_option("-o,--output", options.output, "Model to write, .onnx or .onnxtxt; - for standard output")
      ->type_name("OUT");
  app.add_flag("--check", options.check_only, "Write nothing; the exit status says whether all could be lowered");
  app.add_option("--set", raw.settings,
                 "Give an attribute that the export lost:\nDOMAIN::OP.ATTRIBUTE=VALUE for an operator, or\n"
                 "node:NAME.ATTRIBUTE=VALUE for one node")
      ->type_name("SETTING")
      ->allow_extra_args(false);
  app.add_option("--keep", options.kept_texts, "Leave the nodes of a domain or of one operator alone")
      ->type_name("DOMAIN[::OP]")
      ->allow_extra_args(false);
  app.add_flag("--allow-unlowered", options.allow_unlowered,
               "Write the model also when some nodes could not be lowered");
}

// Declares the options on how nodes are lowered, and for which runtimes.
void declare_lowering(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("--target", raw.target,
                 "Where the output has to run: names that --list-targets lists, or files (PATH.target), with commas "
                 "between; opset "
                 "and IR version follow from it (default: any, standard operators for ONNX Runtime and OpenVINO)")
      ->type_name("NAME,…");
  app.add_flag("--allow-narrowing", options.legalize.allow_narrowing,
               "Compute in float what is double, in int32 what is int64, where a target takes nothing wider");
  app.add_option("--target-opset", raw.target_opset,
                 "Version of ai.onnx that the output imports (default: the input's); "
                 "the IR version is lowered to that of the onnx release with this opset")
      ->type_name("N");
  app.add_option("--ir-version", raw.ir_version, "IR version of the output")->type_name("N");
  app.add_flag("--fold", options.legalize.fold,
               "Put constants in the place of what is known before the model runs: computations on shapes and small "
               "integers; and its branch in the place of an If whose condition is known");
  app.add_option("--input-shape", raw.input_shapes,
                 "Give an input of the model this shape, with ? for dimensions that stay; what follows from it is "
                 "inferred and written")
      ->type_name("NAME:1,3,…")
      ->allow_extra_args(false);
  app.add_option("--dim", raw.dimensions, "Give the dimensions of this name, of all inputs, this size")
      ->type_name("NAME=N")
      ->allow_extra_args(false);
  app.add_option("--input-value", raw.input_values,
                 "Fix an input of the model to a value, or to a list with commas: it becomes a constant, and is no "
                 "input any more; with --fold, which this option says, too")
      ->type_name("NAME=V")
      ->allow_extra_args(false);
  app.add_flag("--expand", raw.expand, "Put the body of a rule in the place of the node (the default)");
  app.add_flag("--attach{*}", options.attached_texts,
               "Keep the nodes, of all custom operators or of those named (--attach=DOMAIN[::OP]), and add their "
               "rules' bodies as "
               "model-local functions, which ONNX Runtime executes")
      ->type_name("[=DOMAIN[::OP]]");
  app.add_option("--external-data", raw.external_data,
                 "Data that lie in other files: keep them there (the default; copied along into another folder), embed "
                 "them in OUT, or split all large tensors off into one file OUT.data")
      ->type_name("MODE");
  app.add_flag("--allow-external-paths", options.write.allow_external_paths,
               "Read external data outside of the model's folder, too");
}

void declare_rules(CLI::App& app, Options& options, RawOptions& raw) {
  constexpr const char* rules = "Rules";
  app.add_option("--rules", options.rule_paths, "Use the rules in a folder, an .onnxtxt file or an .onnx file first")
      ->type_name("PATH")
      ->allow_extra_args(false)
      ->group(rules);
  app.add_flag("--list-rules", raw.list_rules, "List all rules")->group(rules);
  app.add_flag("--list-targets", raw.list_targets, "List the targets")->group(rules);
  app.add_option("--show-target", options.shown_target, "Print a target: what a runtime takes")
      ->type_name("NAME")
      ->group(rules);
  app.add_flag("--json", options.json, "With --list-rules or --list-targets: list them as JSON")->group(rules);
  app.add_option("--show-rule", raw.shown_rule, "Print the text of a rule")->type_name("DOMAIN::OP")->group(rules);
  app.add_option(
         "--check-rules", options.checked_paths,
         "Check rule files, and the types of their bodies at every opset; and target files, of whose conditions "
         "each part has to decide something")
      ->type_name("PATH")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->group(rules);
}

void declare_many(CLI::App& app, Options& options, RawOptions& raw) {
  constexpr const char* many = "Many models";
  app.add_option("--output-dir", options.many.output_dir,
                 "Write each model under its own name below DIR; folders keep their trees")
      ->type_name("DIR")
      ->group(many);
  app.add_option("--manifest", options.many.manifest,
                 "Read the models to lower, and options for each, from JSON Lines; - for standard input")
      ->type_name("FILE.jsonl")
      ->group(many);
  app.add_option("-j,--jobs", raw.jobs, "Models at once (default: as many as there are CPUs to use)")
      ->type_name("N")
      ->group(many);
  app.add_option("--shard", raw.shard, "Do only part I of N of the models, chosen by their names")
      ->type_name("I/N")
      ->group(many);
  app.add_flag("--force", options.many.force, "Do also the models whose outputs are up to date")->group(many);
  app.add_option("--timeout", raw.timeout, "Stop a model that takes longer")->type_name("SECONDS")->group(many);
}

void declare_messages(CLI::App& app, Options& options, RawOptions& raw) {
  constexpr const char* output = "Messages";
  app.add_option("--report", options.report_path,
                 "Write what was done, and what was not and why, as JSON; for many models a line for each; - for "
                 "standard output")
      ->type_name("FILE.json")
      ->group(output);
  app.add_flag("-q,--quiet", raw.quiet, "Print errors only")->group(output);
  app.add_flag("-v,--verbose", raw.verbose, "Print every lowered node")->group(output);
  app.add_option("--color", raw.color, "auto, always or never; NO_COLOR in the environment means never")
      ->type_name("WHEN")
      ->group(output);
  app.add_flag("--version", raw.version, "Print the versions of onnx-lower, onnx and protobuf")->group(output);
  app.add_flag("-h,--help", raw.help, "Print this text")->group(output);
}

// Declares all options, in the order in which --help lists them.
void declare(CLI::App& app, Options& options, RawOptions& raw) {
  app.set_help_flag();
  app.name("onnx-lower");
  declare_files(app, options, raw);
  declare_lowering(app, options, raw);
  declare_rules(app, options, raw);
  declare_many(app, options, raw);
  declare_messages(app, options, raw);
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
  if (asked.empty()) return wants_many_models(options) ? Task::lower_many : Task::lower;
  if (asked.size() > 1) throw UsageError(fmt::format("{} and {} do not go together", asked[0].second, asked[1].second));
  if (!options.many.inputs.empty() || !options.output.empty() || options.check_only || wants_many_models(options)) {
    throw UsageError(fmt::format("{} takes no model", asked[0].second));
  }
  return asked[0].first;
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
      throw UsageError(fmt::format(
          "unexpected argument {}: the output is given with -o: -o {} (and for several models --output-dir DIR)",
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
  if (!options.check_only && options.output.empty()) {
    throw UsageError("no output is given: add -o OUT (-o - for standard output), or --check to write nothing");
  }
  if (options.output == "-" && options.write.external_data == ExternalDataMode::split)
    throw UsageError("--external-data split puts a file beside the output: give -o OUT, not -");
  if (options.report_path == "-" && options.output == "-")
    throw UsageError("model and report cannot both go to standard output");
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

// Rejects runtimes that have no opset or no IR version in common.
void check_common_versions(const std::string& text, const Targets& targets) {
  if (common_opsets(targets, "").is_empty() || common_ir_versions(targets).is_empty())
    throw UsageError(fmt::format("--target {}: no version of ONNX is taken by all of these", text));
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
  options.write.external_data = parse_external_data(raw.external_data);
  if (options.json && options.task != Task::list_rules && options.task != Task::list_targets)
    throw UsageError("--json goes with --list-rules and --list-targets; a run's report is --report FILE.json");
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
  for (const std::string& text : raw.settings) options.legalize.settings.push_back(parse_attribute_setting(text));
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
  onnx-lower --check in.onnx && echo "all of it can be lowered"
  cat in.onnx | onnx-lower - -o - > out.onnx
  onnx-lower zoo/ --output-dir lowered/ -j 8 > results.jsonl
  onnx-lower --show-rule rknn_cst::cstThreshold

Exit status:
  0  done
  1  something could not be lowered (with --check: could not be)
  2  wrong usage, or the run would write over a file that it needs
  3  the model or a rule is not valid
  4  a file could not be read or written
  5  some of many models failed; the others are done
)";

// The options that affect how a run works and what it prints, but not its output. All other options
// count as affecting the output: if one is missing here, models are lowered again without need, but
// no outdated output is kept.
constexpr std::string_view options_without_effect[] = {
    "IN",      "--output",  "--check",  "--rules", "--output-dir", "--manifest", "--jobs",    "--shard",
    "--force", "--timeout", "--report", "--quiet", "--verbose",    "--color",    "--version", "--help",
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
std::string suggestion_for(const CLI::App& app, std::string_view unknown) {
  constexpr size_t most_typos = 2;
  const std::string_view given = unknown.substr(0, unknown.find('='));
  const std::vector<std::string> names = long_names(app);
  std::string nearest = nearest_name(given, names, given.size() < 7 ? 1 : most_typos);
  if (nearest.empty() && given.size() > 4) {
    for (const std::string& name : names) {
      if (name.starts_with(given)) nearest = name;
    }
  }
  return nearest.empty() ? std::string() : fmt::format(": did you mean {}?", nearest);
}

// Rejects "-output x", which CLI11 would read as "-o utput" and a model x.
void refuse_long_names_with_one_dash(const CLI::App& app, const std::vector<std::string>& arguments) {
  const std::vector<std::string> names = long_names(app);
  for (const std::string& argument : arguments) {
    if (!argument.starts_with('-') || argument.starts_with("--")) continue;
    const std::string dashed = "-" + argument.substr(0, argument.find('='));
    if (std::ranges::find(names, dashed) != names.end())
      throw UsageError(fmt::format("{}: a name of more than one letter has two dashes: {}", argument, dashed));
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
  refuse_long_names_with_one_dash(app, arguments);
  try {
    // CLI11 takes the arguments in reverse order.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ExtrasError&) {
    const std::string unexpected = app.remaining().front();
    if (!unexpected.starts_with("-")) throw UsageError(fmt::format("unexpected argument {}", unexpected));
    throw UsageError(fmt::format("unknown option {}{}", unexpected, suggestion_for(app, unexpected)));
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
  declare(app, options, raw);
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

Options parse_options(int argc, const char* const* argv) { return options_from({argv + 1, argv + argc}, false); }

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

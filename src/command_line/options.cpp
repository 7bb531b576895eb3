#include "command_line/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <utility>

#include "command_line/attribute_setting.h"
#include "domain.h"
#include "error.h"
#include "version.h"

namespace onnx_lower {
namespace {

constexpr const char* color_names[] = {"auto", "always", "never"};

// The options as CLI11 fills them in, before their values are looked into.
struct RawOptions {
  std::vector<std::string> settings;
  std::string shown_rule;
  std::string color = "auto";
  std::string target_opset;
  std::string target = "any";
  bool help = false, version = false, list_rules = false, expand = false, quiet = false, verbose = false;
};

void declare(CLI::App& app, Options& options, RawOptions& raw) {
  app.set_help_flag();
  app.name("onnx-lower");
  app.add_option("IN", options.input, "Model to read, .onnx or .onnxtxt; - for standard input")->type_name(" ");
  app.add_option("-o,--output", options.output, "Model to write, .onnx or .onnxtxt; - for standard output")
      ->type_name("OUT");
  app.add_flag("--check", options.check_only, "Write nothing; the exit status says whether all could be lowered");
  app.add_option("--set", raw.settings,
                 "Give an attribute that the export lost:\nDOMAIN::OP.ATTRIBUTE=VALUE for all nodes of an operator,\n"
                 "node:NAME.ATTRIBUTE=VALUE for one")
      ->type_name("SETTING")
      ->allow_extra_args(false);
  app.add_option("--keep", options.kept_texts, "Leave the nodes of a domain or of one operator alone")
      ->type_name("DOMAIN[::OP]")
      ->allow_extra_args(false);
  app.add_flag("--allow-unlowered", options.allow_unlowered,
               "Write the model also when some nodes could not be lowered");
  app.add_option("--target", raw.target,
                 "Which runtimes must execute the output: any (the default), onnxruntime or openvino")
      ->type_name("RUNTIME");
  app.add_option("--target-opset", raw.target_opset,
                 "Version of ai.onnx that the output imports (default: the input's)")
      ->type_name("N");
  app.add_flag("--expand", raw.expand, "Put the body of a rule in the place of the node (the default)");

  constexpr const char* rules = "Rules";
  app.add_option("--rules", options.rule_paths, "Use the rules in a folder, an .onnxtxt file or an .onnx file first")
      ->type_name("PATH")
      ->allow_extra_args(false)
      ->group(rules);
  app.add_flag("--list-rules", raw.list_rules, "List all rules")->group(rules);
  app.add_flag("--json", options.json, "With --list-rules: list them as JSON")->group(rules);
  app.add_option("--show-rule", raw.shown_rule, "Print the text of a rule")->type_name("DOMAIN::OP")->group(rules);
  app.add_option("--check-rules", options.checked_paths,
                 "Check rule files, and the types of their bodies at every opset")
      ->type_name("PATH")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->group(rules);

  constexpr const char* output = "Messages";
  app.add_option("--report", options.report_path, "Write what was done, and what was not and why, as JSON")
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

ColorMode parse_color(const std::string& text) {
  for (int i = 0; i < 3; ++i) {
    if (text == color_names[i]) return static_cast<ColorMode>(i);
  }
  throw UsageError(fmt::format("--color {}: write auto, always or never", text));
}

int64_t parse_opset(const std::string& text) {
  int64_t version = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || version < 1) {
    throw UsageError(fmt::format("--target-opset {}: write a positive number", text));
  }
  return version;
}

Runtime parse_runtime(const std::string& text) {
  if (text == "any") return Runtime::any;
  if (text == "onnxruntime") return Runtime::onnxruntime;
  if (text == "openvino") return Runtime::openvino;
  throw UsageError(fmt::format("--target {}: write any, onnxruntime or openvino", text));
}

Task task_of(const Options& options, const RawOptions& raw) {
  std::vector<std::pair<Task, const char*>> asked;
  if (raw.list_rules) asked.emplace_back(Task::list_rules, "--list-rules");
  if (!raw.shown_rule.empty()) asked.emplace_back(Task::show_rule, "--show-rule");
  if (!options.checked_paths.empty()) asked.emplace_back(Task::check_rules, "--check-rules");
  if (asked.empty()) return Task::lower;
  if (asked.size() > 1) throw UsageError(fmt::format("{} and {} do not go together", asked[0].second, asked[1].second));
  if (!options.input.empty() || !options.output.empty() || options.check_only) {
    throw UsageError(fmt::format("{} takes no model", asked[0].second));
  }
  return asked[0].first;
}

void check_files(const Options& options) {
  if (options.input.empty()) throw UsageError("no model to read is given");
  if (options.check_only && !options.output.empty())
    throw UsageError("--check writes no model: leave out -o, or --check");
  if (!options.check_only && options.output.empty()) {
    throw UsageError("no output is given: add -o OUT (-o - for standard output), or --check to write nothing");
  }
  if (options.report_path == "-" && options.output == "-")
    throw UsageError("model and report cannot both go to standard output");
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
  if (options.json && options.task != Task::list_rules)
    throw UsageError("--json goes with --list-rules; a run's report is --report FILE.json");
  if (options.task == Task::show_rule) {
    const size_t colons = raw.shown_rule.find("::");
    if (colons == std::string::npos || colons + 2 == raw.shown_rule.size()) {
      throw UsageError(fmt::format("--show-rule {}: write DOMAIN::OP", raw.shown_rule));
    }
    options.shown_domain = normalized_domain(std::string_view(raw.shown_rule).substr(0, colons));
    options.shown_op_type = raw.shown_rule.substr(colons + 2);
  }
  if (options.task == Task::lower) check_files(options);
  for (const std::string& text : raw.settings) options.legalize.settings.push_back(parse_attribute_setting(text));
  for (const std::string& text : options.kept_texts) options.legalize.kept.push_back(parse_kept_operator(text));
  options.legalize.runtime = parse_runtime(raw.target);
  if (!raw.target_opset.empty()) options.legalize.target_opset = parse_opset(raw.target_opset);
}

class HelpLayout : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: onnx-lower IN -o OUT [OPTIONS]\n       onnx-lower --list-rules | --show-rule DOMAIN::OP | "
           "--check-rules PATH...\n";
  }
};

constexpr const char* examples_and_exit_status = R"(
Examples:
  onnx-lower in.onnx -o out.onnx
  onnx-lower in.onnx -o out.onnx --set rknn_cst::cstThreshold.threshold=0.1
  onnx-lower in.onnx -o out.onnx --rules my_rules/ --report report.json
  onnx-lower --check in.onnx && echo "all of it can be lowered"
  cat in.onnx | onnx-lower - -o - > out.onnx
  onnx-lower --show-rule rknn_cst::cstThreshold

Exit status:
  0  done
  1  something could not be lowered (with --check: could not be)
  2  wrong usage
  3  the model or a rule is not valid
  4  a file could not be read or written
)";

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options options;
  RawOptions raw;
  CLI::App app;
  declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    const std::string unexpected = app.remaining().front();
    throw UsageError(
        fmt::format("{} {}", unexpected.starts_with("-") ? "unknown option" : "unexpected argument", unexpected));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  interpret(options, raw);
  return options;
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
  const auto layout = std::make_shared<HelpLayout>();
  layout->column_width(34);
  CLI::App app("Replaces custom nodes of an ONNX model by standard ONNX operators.");
  declare(app, options, raw);
  app.formatter(layout);
  return app.help() + examples_and_exit_status;
}

std::string version_text() {
  return fmt::format("onnx-lower {}\nonnx {}\nprotobuf {}\n", tool_version, onnx_version, protobuf_version);
}

}  // namespace onnx_lower

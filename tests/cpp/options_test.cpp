#include "command_line/options.h"

#include <catch2/catch.hpp>
#include <vector>

#include "error.h"

namespace onnx_lower {
namespace {

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "onnx-lower");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

std::string complaint(std::vector<const char*> arguments) {
  try {
    parse(std::move(arguments));
  } catch (const UsageError& error) {
    CHECK(error.status() == ExitStatus::wrong_usage);
    return error.what();
  }
  return "";
}

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("input and output") {
  const Options options = parse({"in.onnx", "-o", "out.onnx"});
  CHECK(options.task == Task::lower);
  CHECK(options.input == "in.onnx");
  CHECK(options.output == "out.onnx");
  CHECK_FALSE(options.check_only);
  CHECK(options.verbosity == Verbosity::normal);
  CHECK(parse({"-o", "out.onnx", "in.onnx"}).input == "in.onnx");
  CHECK(parse({"--output=out.onnx", "in.onnx"}).output == "out.onnx");
}

TEST_CASE("a dash is standard input or output") {
  const Options options = parse({"-", "-o", "-"});
  CHECK(options.input == "-");
  CHECK(options.output == "-");
}

TEST_CASE("without -o the message says so") {
  CHECK_THAT(complaint({"in.onnx"}), Contains("-o OUT"));
  CHECK_THAT(complaint({"in.onnx", "-o", ""}), Contains("-o OUT"));
  CHECK(parse({"in.onnx", "--check"}).check_only);
  CHECK_THAT(complaint({"in.onnx", "--check", "-o", "out.onnx"}), Contains("--check"));
}

TEST_CASE("usage that makes no sense is refused") {
  CHECK_THAT(complaint({}), Contains("no model"));
  CHECK_THAT(complaint({"-o", "out.onnx"}), Contains("no model"));
  CHECK_THAT(complaint({"in.onnx", "-o"}), Contains("--output"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "--frobnicate"}), Contains("unknown option --frobnicate"));
  CHECK_THAT(complaint({"in.onnx", "other.onnx", "-o", "out.onnx"}), Contains("unexpected argument other.onnx"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "-q", "-v"}), Contains("-q and -v"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "--color", "blue"}), Contains("blue"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "--target-opset", "new"}), Contains("--target-opset new"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "--target-opset", "0"}), Contains("positive"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "--json"}), Contains("--list-rules"));
  CHECK_THAT(complaint({"in.onnx", "-o", "-", "--report", "-"}), Contains("standard output"));
  CHECK_THAT(complaint({"--list-rules", "in.onnx"}), Contains("takes no model"));
  CHECK_THAT(complaint({"--list-rules", "--show-rule", "custom::Foo"}), Contains("do not go together"));
  CHECK_THAT(complaint({"in.onnx", "-o", "out.onnx", "--keep", ""}), !Contains("std::"));
}

TEST_CASE("options that may be repeated take one argument each") {
  const Options options = parse({"--rules", "a", "--rules", "b", "in.onnx", "-o", "out.onnx", "--keep", "custom",
                                 "--keep", "ai.onnx::Foo", "--set", "custom::F.alpha=1", "--set", "custom::F.beta=2"});
  CHECK(options.rule_paths == std::vector<std::string>{"a", "b"});
  CHECK(options.input == "in.onnx");
  REQUIRE(options.legalize.kept.size() == 2);
  CHECK(options.legalize.kept[0].domain == "custom");
  CHECK(options.legalize.kept[0].op_type.empty());
  CHECK(options.legalize.kept[1].domain.empty());
  CHECK(options.legalize.kept[1].op_type == "Foo");
  REQUIRE(options.legalize.settings.size() == 2);
  CHECK(options.legalize.settings[1].attribute.name() == "beta");
}

TEST_CASE("the other things that the tool can do") {
  CHECK(parse({"--list-rules"}).task == Task::list_rules);
  CHECK(parse({"--list-rules", "--json", "--rules", "mine"}).json);
  const Options shown = parse({"--show-rule", "org.pytorch.aten::asinh"});
  CHECK(shown.task == Task::show_rule);
  CHECK(shown.shown_domain == "org.pytorch.aten");
  CHECK(shown.shown_op_type == "asinh");
  CHECK(parse({"--show-rule", "ai.onnx::Selu"}).shown_domain.empty());
  CHECK_THAT(complaint({"--show-rule", "Selu"}), Contains("DOMAIN::OP"));
  CHECK(parse({"--check-rules", "a", "b"}).checked_paths == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(complaint({"--check-rules"}).empty());
  CHECK(parse({"--version"}).task == Task::print_version);
  CHECK(parse({"--help"}).task == Task::print_help);
  CHECK(parse({"in.onnx", "-h"}).task == Task::print_help);
}

TEST_CASE("--target-opset, --report, --color and how much is said") {
  const Options options =
      parse({"in.onnx", "-o", "out.onnx", "--target-opset", "17", "--report", "r.json", "--color", "always", "-v"});
  CHECK(options.legalize.target_opset == 17);
  CHECK(options.report_path == "r.json");
  CHECK(options.color == ColorMode::always);
  CHECK(options.verbosity == Verbosity::verbose);
  CHECK(parse({"in.onnx", "-o", "out.onnx", "-q"}).verbosity == Verbosity::quiet);
  const std::vector<const char*> wrong = {"onnx-lower", "--frobnicate", "--color=never"};
  CHECK(color_mode_of(static_cast<int>(wrong.size()), wrong.data()) == ColorMode::never);
}

TEST_CASE("the help names every option and the exit status") {
  const std::string help = help_text();
  for (const char* option : {"-o",
                             "--list-rules",
                             "--json",
                             "--show-rule",
                             "--rules",
                             "--check-rules",
                             "--set",
                             "--expand",
                             "--keep",
                             "--allow-unlowered",
                             "--check",
                             "--report",
                             "--target-opset",
                             "-q",
                             "-v",
                             "--color",
                             "--version",
                             "--help",
                             "Examples:",
                             "Exit status:"}) {
    CHECK_THAT(help, Contains(option));
  }
  CHECK_THAT(version_text(), Contains("onnx-lower ") && Contains("\nonnx ") && Contains("\nprotobuf "));
}

}  // namespace onnx_lower

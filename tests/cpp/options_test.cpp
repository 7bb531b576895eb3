// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "command_line/options.h"

#include <algorithm>
#include <vector>

#include "catch.h"
#include "error.h"

namespace onnx_lower {
namespace {

Options options_of(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "onnx-lower");
  return parse_options(static_cast<int>(arguments.size()), arguments.data());
}

std::string usage_error(std::vector<const char*> arguments) {
  try {
    options_of(std::move(arguments));
  } catch (const UsageError& error) {
    CHECK(error.status() == ExitStatus::wrong_usage);
    return error.what();
  }
  return "";
}

using Catch::Contains;

}  // namespace

TEST_CASE("input and output") {
  const Options options = options_of({"in.onnx", "-o", "out.onnx"});
  CHECK(options.task == Task::lower);
  CHECK(options.input == "in.onnx");
  CHECK(options.output == "out.onnx");
  CHECK_FALSE(options.check_only);
  CHECK(options.verbosity == Verbosity::normal);
  CHECK(options_of({"-o", "out.onnx", "in.onnx"}).input == "in.onnx");
  CHECK(options_of({"--output=out.onnx", "in.onnx"}).output == "out.onnx");
}

TEST_CASE("a dash is standard input or output") {
  const Options options = options_of({"-", "-o", "-"});
  CHECK(options.input == "-");
  CHECK(options.output == "-");
}

TEST_CASE("without -o the message says so") {
  CHECK_THAT(usage_error({"in.onnx"}), Contains("-o OUT"));
  CHECK_THAT(usage_error({"in.onnx", "-o", ""}), Contains("-o OUT"));
  CHECK(options_of({"in.onnx", "--check"}).check_only);
  CHECK_THAT(usage_error({"in.onnx", "--check", "-o", "out.onnx"}), Contains("--check"));
}

TEST_CASE("usage that makes no sense is refused") {
  CHECK_THAT(usage_error({}), Contains("no model"));
  CHECK_THAT(usage_error({"-o", "out.onnx"}), Contains("no model"));
  CHECK_THAT(usage_error({"in.onnx", "-o"}), Contains("--output"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--frobnicate"}), Contains("unknown option --frobnicate"));
  CHECK_THAT(usage_error({"in.onnx", "other.onnx", "-o", "out.onnx"}),
             Contains("unexpected argument other.onnx") && Contains("--output-dir"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "-q", "-v"}), Contains("-q and -v"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--color", "blue"}), Contains("blue"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--target-opset", "new"}), Contains("--target-opset new"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--target-opset", "0"}), Contains("a whole number from 1 to"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--target-opset", "99"}),
             Contains("the newest that is known is"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--json"}), Contains("--list-rules"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "-", "--report", "-"}), Contains("standard output"));
  CHECK_THAT(usage_error({"--list-rules", "in.onnx"}), Contains("takes no model"));
  CHECK_THAT(usage_error({"--list-rules", "--show-rule", "custom::Foo"}), Contains("do not go together"));
  CHECK_THAT(usage_error({"in.onnx", "-o", "out.onnx", "--keep", ""}), !Contains("std::"));
}

TEST_CASE("what is misspelt or in the wrong place is told with what to write instead") {
  CHECK(usage_error({"in.onnx", "out.onnx"}) ==
        "unexpected argument out.onnx: the output is given with -o: -o out.onnx (and for several models --output-dir "
        "DIR)");
  CHECK(usage_error({"a.onnx", "b.onnx", "-o", "out.onnx"}) ==
        "unexpected argument b.onnx: for several models give --output-dir DIR in place of -o");
  const auto unknown = [](const char* option) { return usage_error({"in.onnx", "-o", "out.onnx", option}); };
  CHECK(unknown("--ouput-dir") == "unknown option --ouput-dir: did you mean --output-dir?");
  CHECK(unknown("--ouput-dir=lowered") == "unknown option --ouput-dir=lowered: did you mean --output-dir?");
  CHECK(unknown("--targetopset") == "unknown option --targetopset: did you mean --target-opset?");
  CHECK(unknown("--Verbose") == "unknown option --Verbose: did you mean --verbose?");
  CHECK(unknown("--jsn") == "unknown option --jsn: did you mean --json?");
  CHECK(unknown("--target-op") == "unknown option --target-op: did you mean --target-opset?");
  CHECK(unknown("--allow-unl") == "unknown option --allow-unl: did you mean --allow-unlowered?");
  CHECK(unknown("--frobnicate") == "unknown option --frobnicate");
  CHECK(unknown("-x") == "unknown option -x");
  // "-output x" would be "-o utput" and a model x.
  CHECK(usage_error({"in.onnx", "-output", "out.onnx"}) ==
        "-output: a name of more than one letter has two dashes: --output");
  CHECK(usage_error({"in.onnx", "-o"}) == "--output lacks its value: --output OUT");
  CHECK(usage_error({"in.onnx", "-o", "out.onnx", "--set"}) == "--set lacks its value: --set SETTING");
  CHECK(usage_error({"in.onnx", "-o", "out.onnx", "-o", "b.onnx"}) == "--output is given more than once");
  CHECK(usage_error({"in.onnx", "-o", "out.onnx", "--report", ""}) == "--report: its value is empty");
  CHECK(usage_error({"--show-rule", "custom.Foo"}) == "--show-rule custom.Foo: write custom::Foo");
  CHECK(usage_error({"in.onnx", "-o", "out.onnx", "--attach=custom::"}) ==
        "--attach=custom::: write DOMAIN or DOMAIN::OP");
}

TEST_CASE("numbers that are too large are told from what is no number") {
  const auto with_opset = [](const char* text) {
    return usage_error({"in.onnx", "-o", "out.onnx", "--target-opset", text});
  };
  CHECK_THAT(with_opset("99999999999999999999"),
             Contains("--target-opset 99999999999999999999: the newest that is known is"));
  for (const char* text : {"-1", "-99999999999999999999", "1.5", "17x", "opset17"})
    CHECK_THAT(with_opset(text), Contains("write a whole number from 1 to"));
  const auto with_set = [](const char* text) { return usage_error({"in.onnx", "-o", "out.onnx", "--set", text}); };
  CHECK_THAT(with_set("d::F.a=99999999999999999999"), Contains("99999999999999999999 does not fit into 64 bits"));
  CHECK_THAT(with_set("d::F.a=1e400"), Contains("1e400 does not fit into a float"));
  CHECK_THAT(with_set("d::F.a=[1,2"), Contains("the closing ] is missing"));
  CHECK_THAT(usage_error({"a", "--output-dir", "b", "-j", "99999999999999999999"}), Contains("from 1 to 1024"));
}

TEST_CASE("options that may be repeated take one argument each") {
  const Options options =
      options_of({"--rules", "a", "--rules", "b", "in.onnx", "-o", "out.onnx", "--keep", "custom", "--keep",
                  "ai.onnx::Foo", "--set", "custom::F.alpha=1", "--set", "custom::F.beta=2"});
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
  CHECK(options_of({"--list-rules"}).task == Task::list_rules);
  CHECK(options_of({"--list-rules", "--json", "--rules", "mine"}).json);
  const Options shown = options_of({"--show-rule", "org.pytorch.aten::asinh"});
  CHECK(shown.task == Task::show_rule);
  CHECK(shown.shown_domain == "org.pytorch.aten");
  CHECK(shown.shown_op_type == "asinh");
  CHECK(options_of({"--show-rule", "ai.onnx::Selu"}).shown_domain.empty());
  CHECK_THAT(usage_error({"--show-rule", "Selu"}), Contains("DOMAIN::OP"));
  CHECK(options_of({"--check-rules", "a", "b"}).checked_paths == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(usage_error({"--check-rules"}).empty());
  CHECK(options_of({"--version"}).task == Task::print_version);
  CHECK(options_of({"--help"}).task == Task::print_help);
  CHECK(options_of({"in.onnx", "-h"}).task == Task::print_help);
}

TEST_CASE("--target-opset, --report, --color and how much is said") {
  const Options options = options_of(
      {"in.onnx", "-o", "out.onnx", "--target-opset", "17", "--report", "r.json", "--color", "always", "-v"});
  CHECK(options.legalize.target_opset == 17);
  CHECK(options.report_path == "r.json");
  CHECK(options.color == ColorMode::always);
  CHECK(options.verbosity == Verbosity::verbose);
  CHECK(options_of({"in.onnx", "-o", "out.onnx", "-q"}).verbosity == Verbosity::quiet);
  const std::vector<const char*> wrong = {"onnx-lower", "--frobnicate", "--color=never"};
  CHECK(color_mode_of(static_cast<int>(wrong.size()), wrong.data()) == ColorMode::never);
}

TEST_CASE("many models") {
  const Options options =
      options_of({"a.onnx", "zoo", "--output-dir", "out", "-j", "3", "--shard", "2/7", "--timeout", "1.5"});
  CHECK(options.task == Task::lower_many);
  CHECK(options.many.inputs == std::vector<std::string>{"a.onnx", "zoo"});
  CHECK(options.many.output_dir == "out");
  CHECK(options.many.jobs == 3);
  CHECK(options.many.shard.index == 2);
  CHECK(options.many.shard.count == 7);
  CHECK(options.many.timeout == 1.5);
  CHECK_FALSE(options.many.force);
  CHECK(options_of({"--manifest", "-", "--force"}).many.force);
  CHECK(options_of({"--check", "a.onnx", "b.onnx"}).task == Task::lower_many);
  CHECK(options_of({"--check", "/"}).task == Task::lower_many);
  CHECK(options_of({"--check", "a.onnx"}).task == Task::lower);
}

TEST_CASE("many models, usage that makes no sense") {
  CHECK_THAT(usage_error({"--output-dir", "out"}), Contains("no model"));
  CHECK_THAT(usage_error({"a", "--output-dir", "out", "-o", "b"}), Contains("-o is for one model"));
  CHECK_THAT(usage_error({"a", "--output-dir", "out", "--check"}), Contains("--check writes no model"));
  CHECK_THAT(usage_error({"a", "--manifest", "m.jsonl"}), Contains("not both"));
  CHECK_THAT(usage_error({"-", "--output-dir", "out"}), Contains("standard input"));
  CHECK_THAT(usage_error({"", "--output-dir", "out"}), Contains("empty"));
  for (const char* jobs : {"0", "-1", "x", "1.5", "5000"})
    CHECK_THAT(usage_error({"a", "--output-dir", "out", "-j", jobs}), Contains("--jobs") || Contains("-j"));
  for (const char* shard : {"0/3", "4/3", "3", "a/b", "1/0", "1/3x", "/"})
    CHECK_THAT(usage_error({"a", "--output-dir", "out", "--shard", shard}), Contains("write I/N"));
  for (const char* timeout : {"0", "inf", "nan", "x"})
    CHECK_THAT(usage_error({"a", "--output-dir", "out", "--timeout", timeout}), Contains("--timeout"));
  CHECK_THAT(usage_error({"a", "-o", "b", "-j", "2"}), Contains("--jobs goes with"));
  CHECK_THAT(usage_error({"a", "-o", "b", "--shard", "1/2"}), Contains("--shard goes with"));
  CHECK_THAT(usage_error({"a", "-o", "b", "--force"}), Contains("--force goes with"));
  CHECK_THAT(usage_error({"--list-rules", "--output-dir", "out"}), Contains("takes no model"));
}

TEST_CASE("the options of one of many models") {
  const Options common =
      options_of({"--manifest", "m", "--set", "custom::F.alpha=1", "--target-opset", "17", "--allow-unlowered"});
  const Options model = options_of_model(common, {"--set=custom::F.beta=2", "--target-opset=18",
                                                  "--allow-unlowered=false", "--keep=other", "--rules=mine"});
  REQUIRE(model.legalize.settings.size() == 2);
  CHECK(model.legalize.settings[1].attribute.name() == "beta");
  CHECK(model.legalize.target_opset == 18);
  CHECK_FALSE(model.allow_unlowered);
  CHECK(model.legalize.kept.size() == 1);
  CHECK(model.rule_paths == std::vector<std::string>{"mine"});
  CHECK(common.legalize.target_opset == 17);
  for (const char* argument :
       {"--jobs=2", "--shard=1/2", "--output-dir=x", "--report=r", "--check=true", "--verbose=true"})
    CHECK_THROWS_AS(options_of_model(common, {argument}), UsageError);
  CHECK_THROWS_AS(options_of_model(common, {"--frobnicate=1"}), UsageError);
}

TEST_CASE("the effect of options tells outputs apart, and nothing else") {
  const std::string plain = options_of({"a", "--output-dir", "out"}).effect;
  CHECK(plain.empty());
  CHECK(options_of({"b", "--output-dir", "other", "-j", "2", "-q", "--shard", "1/2", "--report", "r", "--rules", "x"})
            .effect == plain);
  std::vector<std::string> effects = {plain};
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{"--set", "custom::F.a=1"},
                                             {"--set", "custom::F.a=2"},
                                             {"--keep", "custom"},
                                             {"--allow-unlowered"},
                                             {"--target", "openvino"},
                                             {"--target-opset", "17"},
                                             {"--set", "custom::F.a=1", "--set", "custom::F.b=1"}}) {
    std::vector<const char*> all = {"a", "--output-dir", "out"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    effects.push_back(options_of(all).effect);
  }
  std::sort(effects.begin(), effects.end());
  CHECK(std::unique(effects.begin(), effects.end()) == effects.end());
}

TEST_CASE("the help names every option and the exit status") {
  const std::string help = help_text();
  for (const char* option :
       {"-o",       "--list-rules", "--json",  "--show-rule",       "--rules", "--check-rules", "--set",
        "--expand", "--attach",     "--keep",  "--allow-unlowered", "--check", "--report",      "--target-opset",
        "-q",       "-v",           "--color", "--version",         "--help",  "Examples:",     "Exit status:"}) {
    CHECK_THAT(help, Contains(option));
  }
  CHECK_THAT(version_text(), Contains("onnx-lower ") && Contains("\nonnx ") && Contains("\nprotobuf "));
}

}  // namespace onnx_lower

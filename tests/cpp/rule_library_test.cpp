// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/rule_library.h"

#include <algorithm>
#include <string>

#include "catch.h"
#include "error.h"
#include "rules/embedded_rules.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

std::string rule(const std::string& name, const std::string& inputs, const std::string& domain = "mine") {
  return "# " + name + " of " + inputs + ".\n# Source: the test.\n<domain: \"" + domain +
         "\", opset_import: [\"\" : 18]>\n" + name + " (" + inputs + ") => (y) { y = Identity (x) }\n";
}

std::string message_of(RuleLibrary& library, const std::string& path) {
  try {
    library.add_user_rules(path);
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.status())) + " " + error.what();
  }
  FAIL("no error for " << path);
  return {};
}

Lowering decline(const CallSite&) { return Declined{"it is a test"}; }

const NativeRule a_native_rule{.domain = "native_test",
                               .op_type = "Op",
                               .summary = "A test's.",
                               .source = "None.",
                               .also = "native_test::OldOp, ai.onnx::NativeTestOp",
                               .lower = decline};
const NativeRule::Registration a_registration{a_native_rule};
const NativeRule a_domain_rule{
    .domain = "native_test", .op_type = "*", .summary = "All.", .source = "None.", .lower = decline};
const NativeRule::Registration another_registration{a_domain_rule};
const NativeRule a_last_resort{.domain = "native_test",
                               .op_type = "Op",
                               .summary = "Where nothing else fits.",
                               .source = "None.",
                               .turn = RuleTurn::last_resort,
                               .lower = decline};
const NativeRule::Registration last_registration{a_last_resort};

TEST_CASE("built-in rules are sorted, hold what their paths say, and are found") {
  RuleLibrary library;
  const auto rules = embedded_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    CAPTURE(rules[i].path);
    if (i > 0) CHECK(std::tie(rules[i - 1].domain, rules[i - 1].op_type) < std::tie(rules[i].domain, rules[i].op_type));
    const auto forms = library.forms(rules[i].domain, rules[i].op_type);
    CHECK_FALSE(forms.empty());
    for (const Form* form : forms) {
      CHECK(form->function.domain() == rules[i].domain);
      CHECK(form->function.name() == rules[i].op_type);
      CHECK(form->origin == RuleOrigin::built_in);
    }
    CHECK_THAT(library.text(rules[i].domain, rules[i].op_type), Catch::Contains(std::string(rules[i].text)));
    CHECK_FALSE(library.has_user_rule(rules[i].domain, rules[i].op_type));
  }
  CHECK(library.forms("no.such.domain", "Op").empty());
  CHECK(library.forms("", "Relu").empty());
}

TEST_CASE("native rules are found by their own name, and for a whole domain") {
  RuleLibrary library;
  CHECK(library.native("native_test", "Op") == &a_native_rule);
  CHECK(library.native("native_test", "Other") == nullptr);
  CHECK(library.native("native_test", "OldOp") == &a_native_rule);
  CHECK(library.native("ai.onnx", "NativeTestOp") == &a_native_rule);
  CHECK(library.native("native_test", "NativeTestOp") == nullptr);
  CHECK(library.native("native_test", "*") == &a_domain_rule);
  CHECK(library.native("other", "*") == nullptr);
  CHECK(library.natives("native_test", "Op") ==
        std::vector<const NativeRule*>{&a_native_rule, &a_domain_rule, &a_last_resort});
  CHECK(library.natives("native_test", "Other") == std::vector<const NativeRule*>{&a_domain_rule});
}

TEST_CASE("a rule is found, listed and shown under each of its names") {
  const TemporaryFolder folder("rule_library_test");
  const std::string names = "# Also: mine::OldF, other::F\n#   Also: ai.onnx::TheF\n";
  RuleLibrary library;
  library.add_user_rules(folder.write("F.onnxtxt", names + rule("F", "x") + rule("F", "x, b")));
  const std::pair<const char*, const char*> all[] = {{"mine", "F"}, {"mine", "OldF"}, {"other", "F"}, {"", "TheF"}};
  std::string listed;
  for (const auto& summary : library.list()) {
    if (summary.origin == RuleOrigin::user)
      listed += summary.domain + "::" + summary.op_type + ": " + summary.forms.at(1) + "; ";
  }
  CHECK(listed ==
        "ai.onnx::TheF: TheF (x, b) => (y); mine::F: F (x, b) => (y); mine::OldF: OldF (x, b) => (y); "
        "other::F: F (x, b) => (y); ");
  for (const auto& [domain, op_type] : all) {
    CAPTURE(domain, op_type);
    REQUIRE(library.forms(domain, op_type).size() == 2);
    CHECK(library.forms(domain, op_type)[1]->function.name() == op_type);
    CHECK(library.forms(domain, op_type)[1]->function.input_size() == 2);
    CHECK(library.has_user_rule(domain, op_type));
    CHECK_THAT(library.text(domain, op_type), Catch::StartsWith(names));
  }
  CHECK(library.similar_names("mine", "OldG").at(0) == "mine::OldF");
  // A comment further down is only a comment.
  library.add_user_rules(folder.write("G.onnxtxt", rule("G", "x") + "# Also: prose that names nothing\n"));
  CHECK(library.forms("mine", "G").size() == 1);
  CHECK_THAT(message_of(library, folder.write("H.onnxtxt", "# Also: OldH\n" + rule("H", "x"))),
             Catch::Contains("H.onnxtxt:1:9: error: expected other names of the operator, as in # Also: custom::Foo"));
  CHECK_THAT(message_of(library, folder.write("I.onnxtxt", "# Also: mine::J\n" + rule("I", "x") + rule("K", "x"))),
             Catch::Contains("a file with # Also: holds forms of one operator, here mine::I"));
}

TEST_CASE("a user's rules go before others, in the order in which they are given") {
  const TemporaryFolder folder("rule_library_test");
  folder.write("b/F.onnxtxt", rule("F", "x, b"));
  folder.write("a/F.onnxtxt", rule("F", "x, a") + rule("F", "x, a, a2"));
  folder.write("a/readme.txt", "no rule");
  const std::string last = folder.write("c.onnxtxt", rule("F", "x, c"));
  RuleLibrary library;
  CHECK_FALSE(library.has_any_user_rule());
  // Also when the operator was asked for before.
  CHECK(library.forms("mine", "F").empty());
  library.add_user_rules(folder.file("a"));
  CHECK(library.forms("mine", "F").size() == 2);
  library.add_user_rules(folder.path().string());
  library.add_user_rules(last);
  std::string order;
  for (const Form* form : library.forms("mine", "F")) order += form->function.input(1) + " ";
  CHECK(order == "a a a a b c c ");
  CHECK(library.has_user_rule("mine", "F"));
  CHECK(library.has_any_user_rule());
}

TEST_CASE("a user's rule goes before a built-in one and may replace a standard operator") {
  const TemporaryFolder folder("rule_library_test");
  const EmbeddedRule& built_in = embedded_rules().front();
  RuleLibrary library;
  const std::size_t before = library.forms(built_in.domain, built_in.op_type).size();
  library.add_user_rules(folder.write(
      "a.onnxtxt",
      rule(std::string(built_in.op_type), "x", built_in.domain.empty() ? "ai.onnx" : std::string(built_in.domain))));
  const auto forms = library.forms(built_in.domain, built_in.op_type);
  REQUIRE(forms.size() == before + 1);
  CHECK(forms[0]->origin == RuleOrigin::user);
  CHECK(forms[1]->origin == RuleOrigin::built_in);

  library.add_user_rules(folder.write("b.onnxtxt", rule("Relu", "x", "ai.onnx")));
  CHECK(library.has_user_rule("", "Relu"));
  CHECK(library.has_user_rule("ai.onnx", "Relu"));
  CHECK(library.forms("ai.onnx", "Relu").size() == 1);
}

TEST_CASE("the functions of a model file are rules") {
  const TemporaryFolder folder("rule_library_test");
  onnx::ModelProto model;
  onnx::FunctionProto& function = *model.add_functions();
  function.set_domain("mine");
  function.set_name("G");
  function.add_input("x");
  function.add_output("y");
  auto* import = function.add_opset_import();
  import->set_domain("");
  import->set_version(18);
  auto* node = function.add_node();
  node->set_op_type("Neg");
  node->add_input("x");
  node->add_output("y");
  RuleLibrary library;
  library.add_user_rules(folder.write("g.onnx", model.SerializeAsString()));
  REQUIRE(library.forms("mine", "G").size() == 1);
  CHECK_THAT(library.forms("mine", "G")[0]->where_from, Catch::EndsWith("g.onnx: function mine::G"));
  CHECK_THAT(library.text("mine", "G"), Catch::Contains("Neg (x)"));

  model.mutable_functions(0)->mutable_node(0)->set_input(0, "z");
  CHECK_THAT(message_of(library, folder.write("h.onnx", model.SerializeAsString())),
             Catch::StartsWith("3 ") &&
                 Catch::EndsWith("h.onnx: function mine::G: error: z is used here and not defined before"));
  CHECK_THAT(message_of(library, folder.write("i.onnx", "what")),
             Catch::StartsWith("3 ") && Catch::EndsWith("this is no ONNX model"));
  model.clear_functions();
  CHECK_THAT(message_of(library, folder.write("j.onnx", model.SerializeAsString())),
             Catch::Contains("has no functions"));
}

TEST_CASE("what is no rule is refused, with the reason and the right exit status") {
  const TemporaryFolder folder("rule_library_test");
  RuleLibrary library;
  CHECK_THAT(message_of(library, folder.file("none")), Catch::StartsWith("4 cannot read rules from"));
  CHECK_THAT(message_of(library, folder.path().string()), Catch::StartsWith("3 ") && Catch::Contains("holds no rules"));
  CHECK_THAT(message_of(library, folder.write("rules.txt", "")),
             Catch::StartsWith("3 ") && Catch::Contains("expected a folder"));
  CHECK_THAT(message_of(library, folder.write("empty.onnxtxt", "")), Catch::Contains("expected a function"));
  const std::string head = "<domain: \"mine\", opset_import: [\"\" : 18]>\n";
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {head + "F (x) => (y) { y = Neg (z) }", ":2:16: error: z is used here and not defined before\n"},
      {head + "F (x) => (y) { z = Neg (x) }", ":2:11: error: output y is not computed by the body\n"},
      {head + "F (x, x) => (y) { y = Neg (x) }", ":2:7: error: input x is there twice\n"},
      {head + "F (x) => (x) { }", ""},
      {head + "F (x) => () { }", ":2:1: error: the function has no output\n"},
      {head + "F (x) => (y) { y = Neg (x)\n  y = Neg (x) }", ":3:3: error: y is defined a second time here\n"},
      {head + "F <a> (x) => (y) { y = Cast <to = @b> (x) }",
       ":2:20: error: @b is not declared in the signature of F\n"},
      {head + "F (x) => (y) { y = If (x) <then_branch = g () => (t) { t = Neg (q) }> }",
       ":2:16: error: q is used here"},
      {head + "F (x) => (y) { y = If (x) <then_branch = g () => (t) { t = Neg (x) }> }", ""},
      {head + "F (x) => (y) { y = other.Op (x) }",
       ":2:16: error: the header has no opset_import for other, the domain of Op\n"},
      {"[\"where\": \"rank(q) == 1\"]\n" + head + "F (x) => (y) { y = Neg (x) }",
       ":1:17: error: q is neither an input nor an output of F\n"},
      {"[\"where\": \"b == 1\"]\n" + head + "F (x) => (y) { y = Neg (x) }",
       ":1:12: error: b is no attribute in the signature of F\n"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.text);
    const std::string path = folder.write("case.onnxtxt", a_case.text);
    if (*a_case.message == '\0') {
      CHECK_NOTHROW(library.add_user_rules(path));
    } else {
      CHECK_THAT(message_of(library, path), Catch::StartsWith("3 " + path) && Catch::Contains(a_case.message));
    }
  }
}

TEST_CASE("the list holds every operator, sorted, the user's first") {
  const TemporaryFolder folder("rule_library_test");
  const EmbeddedRule& built_in = embedded_rules().front();
  const std::string domain(built_in.domain.empty() ? "ai.onnx" : built_in.domain);
  const std::string path =
      folder.write("a.onnxtxt", rule(std::string(built_in.op_type), "x", domain) + rule("Zzz", "x"));
  RuleLibrary library;
  library.add_user_rules(path);
  const std::vector<RuleSummary> list = library.list();
  const auto mine = std::ranges::find(list, RuleOrigin::user, &RuleSummary::origin);
  REQUIRE(mine + 1 < list.end());
  CHECK(mine->domain == domain);
  CHECK(mine->op_type == built_in.op_type);
  CHECK(mine->file == path);
  CHECK(mine->source == "the test.");
  CHECK(mine->forms == std::vector<std::string>{std::string(built_in.op_type) + " (x) => (y)"});
  const RuleSummary& next = *(mine + 1);
  CHECK(next.origin == RuleOrigin::built_in);
  CHECK(next.op_type == built_in.op_type);
  CHECK(next.file == built_in.path);
  for (const RuleSummary& summary : list) {
    CAPTURE(summary.domain, summary.op_type);
    CHECK(summary.native == summary.forms.empty());
    CHECK_FALSE(summary.summary.empty());
    CHECK_FALSE(summary.source.empty());
  }
  CHECK(std::ranges::count(list, "native_test", &RuleSummary::domain) == 4);
  CHECK_THAT(library.text("native_test", "Op"), Catch::Contains("A test's."));
  CHECK(library.text("no", "Such").empty());
}

TEST_CASE("a misspelt name finds the nearest ones") {
  const TemporaryFolder folder("rule_library_test");
  RuleLibrary library;
  library.add_user_rules(
      folder.write("a.onnxtxt", rule("cstTreeHouse", "x") + rule("cstTreeHorse", "x") + rule("Other", "x")));
  CHECK(library.similar_names("mine", "cst_TreeHouse") ==
        std::vector<std::string>{"mine::cstTreeHouse", "mine::cstTreeHorse"});
  CHECK(library.similar_names("theirs", "cstTreeHouse").front() == "mine::cstTreeHouse");
  CHECK(library.similar_names("mine", "entirelyDifferent").empty());
}

}  // namespace
}  // namespace onnx_lower

// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rule_check/lint.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "catch.h"
#include "error.h"
#include "onnx/onnx_pb.h"
#include "rule_check/lint_body.h"
#include "rules/text/rule_text.h"

namespace onnx_lower {
namespace {

const std::string head = "<domain: \"d\", opset_import: [\"\" : 18]>\n";

std::string findings_of(const std::string& text) {
  std::string all;
  for (const LintFinding& finding : check_rule_text(text, "f.onnxtxt").findings) {
    all += std::to_string(finding.line) + ":" + std::to_string(finding.column) + ": " + finding.message + "\n";
  }
  return all;
}

TEST_CASE("a constant of one floating-point type beside an input of any") {
  const std::string head =
      "<domain: \"d\", opset_import: [\"\" : 18]> F (x) => (y) { k = Constant <value_float = 2.0> () ";
  CHECK_THAT(findings_of(head + "y = Mul (x, k) }"),
             Catch::Contains("x may be of float16, bfloat16, double too, and here only float fits"));
  CHECK_THAT(findings_of(head + "s = Relu (x)  y = Mul (s, k) }"), Catch::Contains("only float fits"));
  CHECK(findings_of(head + "t = CastLike (k, x)  y = Mul (x, t) }").empty());
  CHECK(findings_of(head + "s = Cast <to = 1> (x)  y = Mul (s, k) }").empty());
  CHECK(findings_of("[\"where\": \"dtype(x) == float\"]\n" + head + "y = Mul (x, k) }").empty());
  // The other types are another form's.
  CHECK(findings_of("[\"where\": \"dtype(x) in (float16, bfloat16, double)\"]\n"
                    "<domain: \"d\", opset_import: [\"\" : 18]> F (x) => (y) { y = Add (x, x) }\n" +
                    head + "y = Mul (x, k) }")
            .empty());
}

TEST_CASE("rules that expand to themselves") {
  const std::string head = "<domain: \"d\", opset_import: [\"\" : 18, \"d\" : 1]> ";
  const std::string message = "this expands to the operator itself again, without end";
  CHECK_THAT(findings_of(head + "F (x) => (y) { t = Relu (x)  y = d.F (t) }"), Catch::Contains("1:78: " + message));
  CHECK_THAT(findings_of(head + "F (x) => (y) { y = d.G (x) }\n" + head + "G (x) => (y) { y = d.F (x) }"),
             Catch::Contains(message));
  CHECK(findings_of(head + "F (x) => (y) { y = d.G (x) }\n" + head + "G (x) => (y) { y = Neg (x) }").empty());
  // One form may leave the rest to another.
  CHECK(findings_of("[\"where\": \"dtype(x) == float16\"]\n" + head +
                    "F (x) => (y) { t = Cast <to = 1> (x)  s = d.F (t)  y = CastLike (s, x) }\n" + head +
                    "F (x) => (y) { y = Neg (x) }")
            .empty());
}

TEST_CASE("a good rule has no findings") {
  CHECK(findings_of(head + "F <alpha: float, k: int = 1, dtype_of_x> (x) => (y) {\n"
                           "  a = Constant <value_float: float = @alpha> ()\n"
                           "  b = Cast <to: int = @dtype_of_x> (a)\n"
                           "  c = ReduceMax <keepdims = @k> (x)\n"
                           "  d = Mul (c, b)\n"
                           "  y = Clip (d, , b)\n}\n")
            .empty());
}

TEST_CASE("nothing is concluded from values that only a call says") {
  const std::string rows =
      "rows = Constant <value_ints = @rows> ()  r = Reshape (x, rows)  last = Constant <value_ints = [2]> () ";
  CHECK(findings_of("[\"let\": \"rows = [0, groups, -1]\"]\n" + head + "F <groups: int> (x) => (y) { " + rows +
                    "y = ReduceMean (r, last) }")
            .empty());
  CHECK(findings_of(head + "F <rows: ints> (x) => (y) { " + rows + "y = ReduceMean (r, last) }").empty());
  CHECK(findings_of(head +
                    "F <dims_of_x> (x) => (y) { rows = Constant <value_ints = @dims_of_x> ()  s = Expand (x, rows)  "
                    "last = Constant <value_ints = [2]> ()  y = ReduceMean (s, last) }")
            .empty());
  CHECK(findings_of("[\"let\": \"type = dtype(x)\"]\n" + head +
                    "F (int64[N] x, z) => (y) { c = Cast <to = @type> (z)  y = Add (x, c) }")
            .empty());
  CHECK(findings_of("[\"let\": \"n = [2] * (rank(x) - 2)\"]\n" + head +
                    "F (float[a,b,c,d] x) => (y) { p = MaxPool <kernel_shape = @n> (x)  y = Relu (p) }")
            .empty());
  // The type is known, and a default is a value.
  CHECK_THAT(
      findings_of(head + "F <a: float> (int64[2] x) => (y) { k = Constant <value_float = @a> ()  y = Add (x, k) }"),
      Catch::Contains("type inference"));
  CHECK_THAT(findings_of(head + "F <rows: ints = [1, -1]> (x) => (y) { " + rows + "y = ReduceMean (r, last) }"),
             Catch::Contains("axis"));
}

TEST_CASE("a form with choices is one form, and what is wrong with it is said once") {
  const LintReport report = check_rule_text(
      head +
          "F (x, w) => (y) { t = Relu (x)  u = Nothing (t)  v = Mul (u, w)  y = onnx_lower.Choose <where = "
          "\"present(w)\"> (v, u) }",
      "f.onnxtxt");
  CHECK(report.forms == 1);
  CHECK(report.findings.size() == 1);
}

TEST_CASE("a tensor has the elements that its shape asks for") {
  CHECK(findings_of(head + "F (x) => (y) {\n  c = Constant <value = float {}> ()\n  y = Add (x, c)\n}\n")
            .starts_with("3:3: tensor '' has 0 elements where its shape asks for 1\n"));
}

TEST_CASE("types are inferred at every opset at which the body reads otherwise") {
  // Max takes integers from 12 on; at 18 all is well.
  const std::string found = findings_of(head + "F (x) => (y) {\n  s = Shape (x)\n  y = Max (s, s)\n}\n");
  CHECK(found.starts_with("4:3: in a model of opset 11: type inference: "));
  // A condition on the opset takes back the claim.
  CHECK(
      findings_of("[\"where\": \"opset() >= 12\"]\n" + head + "F (x) => (y) {\n  s = Shape (x)\n  y = Max (s, s)\n}\n")
          .empty());
}

TEST_CASE("what the text parser passes over is found in the source") {
  struct Case {
    const char* body;
    const char* finding;
  };
  const Case cases[] = {
      {"F <k> (x) => (y) { y = Transpose <perm = [@k, 1]> (x) }",
       "2:43: a list cannot hold a reference: the parser drops @k"},
      {"F (x) => (y) { y = d.G <v = [float[1] {1.0}]> (x) }",
       "2:30: a list cannot hold tensors, types or graphs: the parser drops them"},
      {"F (x) => (y) { y = Neg (x,) }", "2:26: this comma ends a list"},
      {"F (x) => (y) { y, = Neg (x) }", "2:17: this comma ends a list"},
      {"F (x) => (y) { y = d.G <v = \"a\\nb\"> (x) }", "2:31: \\n in a string means n here"},
      {"F (x) => (y) { y = d.G <v: int = [1]> (x) }", "2:34: this is declared int, and the value is a list"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.body);
    CHECK_THAT(findings_of(head + a_case.body), Catch::Contains(a_case.finding));
  }
  CHECK(findings_of(head + "F (x) => (y) { y = Mul (x, c) c2 = Neg (x) }").find("comma") == std::string::npos);
}

TEST_CASE("names are checked") {
  struct Case {
    const char* body;
    const char* finding;
  };
  const Case cases[] = {
      {"F (x) => (y) { y = Cast <to = @k> (x) }", "2:16: @k is not declared in the signature of F"},
      {"F <k: int, dtype_of_x> (x) => (y) { y = Neg (x) }", "2:4: attribute k is declared and not used"},
      {"F <k: int, dtype_of_x> (x) => (y) { y = Neg (x) }", "2:12: attribute dtype_of_x is bound and not used"},
      {"F <dtype_of_z> (x) => (y) { y = Cast <to = @dtype_of_z> (x) }",
       "2:4: dtype_of_z is not bound by the engine: z is not a value"},
      {"F <rank_of_x: int = 1> (x) => (y) { y = Cast <to = @rank_of_x> (x) }",
       "2:4: rank_of_x is not bound by the engine: it has a default"},
      {"F (x) => (y) { y = Neg (z) }", "2:16: z is used here and not defined before"},
      {"F (x) => (y) { z = Neg (x) }", "2:11: output y is not computed by the body"},
      {"F (x) => (y) { z = Neg (x) y = Neg (x) }", "2:16: z is computed and not used"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.body);
    CHECK_THAT(findings_of(head + a_case.body), Catch::Contains(a_case.finding));
  }
  CHECK(findings_of("# Unused: k, other\n" + head + "F <k: int> (x) => (y) { y = Neg (x) }").empty());
}

TEST_CASE("definitions are checked: their names, and the types of what they make") {
  const auto found = [](const std::string& entries, const std::string& form) {
    return findings_of("[" + entries + "]\n" + head + form);
  };
  const std::string body = "F <k: int> (x) => (y) { y = Softmax <axis = @a> (x) }";
  CHECK(found("\"let\": \"a = k + rank(x)\"", body).empty());
  CHECK(found("\"let\": \"b = k; a = b\", \"where\": \"b > a\"", body).empty());
  CHECK_THAT(found("\"let\": \"a = [k]\"", body),
             Catch::Contains("3:25: attribute axis of Softmax is of type int, and a is ints"));
  CHECK_THAT(found("\"let\": \"a = k + q\"", body), Catch::Contains("1:18: q is no attribute in the signature of F"));
  CHECK_THAT(found("\"let\": \"a = k + rank(z)\"", body),
             Catch::Contains("1:23: z is neither an input nor an output of F"));
  CHECK_THAT(found("\"let\": \"a = k; b = k\"", body), Catch::Contains("1:17: b is defined and not used"));
  CHECK_THAT(found("\"let\": \"a = b; b = k\"", body), Catch::Contains("1:14: b is no attribute in the signature"));
  CHECK_THAT(found("\"where\": \"a > 1\", \"let\": \"a = k\"", body),
             Catch::Contains("1:12: a is no attribute in the signature of F"));
  CHECK_THAT(found("\"let\": \"a = k; k = 1\"", body),
             Catch::Contains("1:17: k is defined here, and is an attribute or defined before"));
  // A form that may decline leaves nodes for the next one.
  const std::string form = head + "F <k: int> (x) => (y) { y = Softmax <axis = @k> (x) }\n";
  CHECK(findings_of("[\"let\": \"a = k + rank(x)\"]\n" + head + body + "\n" + form).empty());
}

TEST_CASE("a body is checked against the schemas at its opset") {
  struct Case {
    const char* body;
    const char* finding;
  };
  const Case cases[] = {
      {"F (x) => (y) { y = Nge (x) }", "2:16: ai.onnx::Nge is no operator, and there is no rule for it"},
      {"F (x) => (y) { y = Neg (x, x) }", "2:16: Neg is given 2 inputs, and takes 1"},
      {"F (x) => (y) { y = Neg <k = 1> (x) }", "2:16: Unrecognized attribute: k for operator Neg"},
      {"F (x) => (y) { y = Concat (x, x) }", "2:16: Required attribute 'axis' is missing"},
      {"F <k> (x) => (y) { y = Neg <k = @k> (x) }", "2:20: Neg has no attribute k at this opset"},
      {"F (x) => (y) { y = Softmax <axis = 0.5> (x) }", "2:16: Mismatched attribute type in "},
      {"F <k: string> (x) => (y) { y = Softmax <axis = @k> (x) }",
       "2:28: attribute axis of Softmax is of type int, and k is string"},
      {"F <k: int> (x) => (y) { c = Constant <value_ints = @k> ()  d = Constant <value_float = @k> ()  e = Reshape (x, "
       "c)  s = CastLike (d, e)  y = Mul (e, s) }",
       "-"},
      {"F (x) => (y) { c = Constant <value = float[2] {1}> () y = Mul (x, c) }", "2:16: "},
      {"F (x) => (y) { y = If (x) <then_branch = g () => (t) { t = Nge (x) }, else_branch = h () => (u) { u = Neg (x) "
       "}> }",
       "2:16: ai.onnx::Nge is no operator"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.body);
    if (*a_case.finding == '-') {
      CHECK(findings_of(head + a_case.body).empty());
    } else {
      CHECK_THAT(findings_of(head + a_case.body), Catch::Contains(a_case.finding));
    }
  }
  CHECK_THAT(findings_of("<domain: \"d\", opset_import: [\"\" : 99]> F (x) => (y) { y = Neg (x) }"),
             Catch::Contains("1:40: opset 99 of ai.onnx does not exist; the newest is "));
  CHECK_THAT(
      findings_of("<domain: \"d\", opset_import: [\"\" : 18, \"nobody\" : 1]> F (x) => (y) { y = nobody.Op (x) }"),
      Catch::Contains("there is no rule for nobody::Op"));
  // Another form of the same file may be the rule.
  CHECK(findings_of("<domain: \"d\", opset_import: [\"d\" : 1]> F (x) => (y) { y = d.G (x) }\n" + head +
                    "G (x) => (y) { y = Neg (x) }")
            .empty());
}

TEST_CASE("what the documentation of an operator asks of a node is checked, in subgraphs too") {
  CHECK_THAT(findings_of(head + "F (x) => (y) { y = LRN <size = 2> (x) }"),
             Catch::Contains("2:16: its attribute 'size' is no odd number"));
  CHECK_THAT(findings_of(head + "F <p: int = 3> (x) => (y) { y = LpNormalization <p = 3> (x)  z = Neg (x) }"),
             Catch::Contains("attribute 'p' is not between 1 and 2"));
  CHECK_THAT(
      findings_of(head + "F (x, c) => (y) { y = If (c) <then_branch = t () => (p) { p = Mod <fmod = 2> (x, x) }, "
                         "else_branch = e () => (q) { q = Neg (x) }> }"),
      Catch::Contains("attribute 'fmod' is not between 0 and 1"));
  CHECK(findings_of(head + "F <k: int = 2> (x) => (y, z) { y, z = Split <num_outputs = @k> (x) }").empty());
}

TEST_CASE("an operator that is not of the body's opset needs a rule") {
  const auto faults_of = [](const std::string& body, bool has_rule) {
    const RuleText rules = parse_rule_text(head + "F (x) => (y) { y = " + body + " }", "f.onnxtxt", RuleOrigin::user);
    std::string all;
    for (const BodyFault& fault :
         body_faults(rules.forms[0], [&](std::string_view, std::string_view) { return has_rule; }))
      all += fault.message;
    return all;
  };
  CHECK(faults_of("Gelu (x)", false) ==
        "ai.onnx::Gelu exists from opset 20 on, the header says 18, and there is no rule for it");
  CHECK(faults_of("Scatter (x, x, x)", false) ==
        "ai.onnx::Scatter is deprecated at opset 18, and there is no rule for it");
  CHECK(faults_of("Gelu (x)", true).empty());
  CHECK(faults_of("Scatter (x, x, x)", true).empty());
}

TEST_CASE("the types of a body must fit together") {
  struct Case {
    const char* text;
    const char* finding;
  };
  const Case cases[] = {
      {"F (x) => (y) { c = Constant <value_int = 1> () d = Sqrt (x) y = Add (d, c) }",
       "2:61: type inference: B has inconsistent type tensor(int64)"},
      {"F (x) => (y) { y = Sqrt (x) z = And (y, y) }", "type inference"},
      {"F (x, i) => (y) { s = Sqrt (x) y = Gather (s, i) }", ""},  // an index is chosen to be one
      {"F (int64[N] x) => (y) { y = Sqrt (x) }",
       "2:25: type inference: X typestr: T, has unsupported type: tensor(int64)"},
      {"F (a, b) => (y) { n = Shape (a) y = Add (n, b) }", ""},
      {"F (x) => (y) { y = Neg (x) z = Exp (y) w = Reshape (z, y) }", "type inference"},
  };
  for (const Case& a_case : cases) {
    CAPTURE(a_case.text);
    const std::string found = findings_of(head + a_case.text);
    if (*a_case.finding == '\0') {
      CHECK(found.empty());
    } else {
      CHECK_THAT(found, Catch::Contains(a_case.finding));
    }
  }
  CHECK(findings_of("[\"where\": \"opset() < 10 and dtype(x) in (int32, int64)\"]\n" + head +
                    "F (x) => (y) { m = Mod (x, x) y = BitwiseNot (m) }")
            .empty());
}

TEST_CASE("a form that can never be tried is found") {
  const std::string form = head + "F <a> (x) => (y) { y = Cast <to = @a> (x) }\n";
  CHECK_THAT(findings_of(form + form),
             Catch::Contains("4:1: this form is never tried: the one at f.onnxtxt:2 fits all its nodes"));
  CHECK(findings_of("[\"where\": \"a == 1\"]\n" + form + form).empty());
  CHECK(findings_of(form + "<domain: \"d\", opset_import: [\"\" : 9]>\nF <a> (x) => (y) { y = Cast <to = @a> (x) }\n")
            .empty());
}

TEST_CASE("a finding reads like a compiler's") {
  const LintReport report = check_rule_text(head + "F (x) => (y) { y = Nge (x) }", "rules/d/F.onnxtxt");
  REQUIRE(report.findings.size() == 1);
  CHECK(to_text(report.findings[0]) ==
        "rules/d/F.onnxtxt:2:16: error: ai.onnx::Nge is no operator, and there is no rule for it\n"
        "  F (x) => (y) { y = Nge (x) }\n"
        "                 ^");
  const LintReport wrong = check_rule_text("F (", "f.onnxtxt");
  REQUIRE(wrong.findings.size() == 1);
  CHECK_THAT(to_text(wrong.findings[0]),
             Catch::StartsWith("f.onnxtxt:1:4: error: expected an input's name, found the end of the file\n"));
}

TEST_CASE("folders and files of rules are checked, and the paths of a folder's files") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("lint_test." + std::to_string(getpid()));
  const auto write = [&](const std::string& name, const std::string& content) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << content;
  };
  write("d/F.onnxtxt", head + "F (x) => (y) { y = other.G (x) }");
  write("d/E.onnxtxt", head + "F (x) => (y) { y = Neg (x) }");
  write("library.onnxtxt", "<domain: \"other\", opset_import: [\"\" : 18]> G (x) => (y) { y = Neg (x) }");
  onnx::ModelProto model;
  model.add_functions()->set_name("H");
  write("m.onnx", model.SerializeAsString());
  write("n.onnx", "no model");

  std::string found;
  const LintReport report = check_rules({folder.string()});
  for (const LintFinding& finding : report.findings) {
    found += fs::path(finding.file).filename().string() + ": " + finding.message + "\n";
  }
  CHECK(found ==
        "E.onnxtxt: this is a form of d::F, and the file's path says d::E\n"
        "F.onnxtxt: the header has no opset_import for other, the domain of G\n"
        "m.onnx: in ai.onnx::H: the function has no output\n"
        "n.onnx: this is no ONNX model\n");
  CHECK(report.files == 5);
  CHECK(report.forms == 4);
  CHECK(check_rules({(folder / "d/E.onnxtxt").string()}).findings.empty());
  CHECK_THROWS_AS(check_rules({(folder / "none").string()}), FileError);
  fs::remove_all(folder);
}

TEST_CASE("the built-in rules pass") {
  const LintReport report = check_rules({ONNX_LOWER_SOURCE_DIR "/rules"});
  CHECK(report.forms >= report.files);
  for (const LintFinding& finding : report.findings) FAIL_CHECK(to_text(finding));
}

}  // namespace
}  // namespace onnx_lower

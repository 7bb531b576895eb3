# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""--new-rule: what it writes becomes a rule and a test that pass when both are filled in, and before that neither does."""
import os
import pathlib
import subprocess
import sys

import onnx
import pytest
import tool
from onnx import parser

# Two forms of one operator: with a bias and without; what the bias's node knows of its types is in the model.
TWO_FORMS = """<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
g (float[n,3] image, float[n,3] other) => (float[n,3] a, float[n,3] b, float[n,3] c) <float[3] "head.bias" = {1, 2, 3}> {
    [plain] a = acme.ScaledAdd <scale = 2.0> (image, other)
    [again] b = acme.ScaledAdd <scale = 0.5> (image, other)
    [biased] c = acme.ScaledAdd <scale = 0.5> (image, other, "head.bias")
}"""
BODIES = {
    "(image, other)": "  s = onnx_lower.ConstantLike <value = @scale> (image)\n  scaled = Mul (image, s)\n  {y} = Add (scaled, other)",
    "(image, other, bias)": "  s = onnx_lower.ConstantLike <value = @scale> (image)\n  scaled = Mul (image, s)\n  sum = Add (scaled, other)\n  {y} = Add (sum, bias)",
}


def begun(folder: pathlib.Path, model: str, operator: str, *options: str) -> tool.Run:
    onnx.save(parser.parse_model(model), folder / "net.onnx")
    return tool.run(["net.onnx", "-o", "out.onnx", "--new-rule", operator, *options], cwd=folder)


def filled_in(rule: str) -> str:
    """The body of each form in the place of its line with FILL_IN."""
    lines = []
    for line in rule.splitlines():
        if "FILL_IN" in line and "=" in line and not line.startswith("#"):
            line = BODIES[line[line.rindex("("):]].replace("{y}", line.split("=")[0].strip())
        lines.append(line)
    return "\n".join(lines) + "\n"


def run_test(folder: pathlib.Path, name: str) -> subprocess.CompletedProcess:
    (folder / "bin").mkdir(exist_ok=True)
    if not (folder / "bin" / "onnx-lower").exists():
        (folder / "bin" / "onnx-lower").symlink_to(tool.TOOL)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run([sys.executable, name], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def test_a_rule_is_begun_filled_in_and_tested(tmp_path: pathlib.Path) -> None:
    run = begun(tmp_path, TWO_FORMS, "acme::ScaledAdd")
    assert run.status == tool.DONE, run
    assert "3 nodes of acme::ScaledAdd in 2 forms" in run.stderr and not (tmp_path / "out.onnx").exists()
    rule, test = tmp_path / "ScaledAdd.onnxtxt", tmp_path / "test_ScaledAdd.py"
    text = rule.read_text()
    assert "ScaledAdd <scale: float> (image, other) => (a)" in text and "(image, other, bias) => (c)" in text, text
    assert "2 nodes of net.onnx are of this form, the first of them 'plain'" in text and "#   image: float[n,3]" in text and "#   scale = 2" in text, text

    unfinished = tool.run(["--check-rules", rule])
    assert unfinished.status != tool.DONE and "FILL_IN" in unfinished.stderr, unfinished
    assert "say here with numpy what acme::ScaledAdd computes" in run_test(tmp_path, test.name).stderr

    rule.write_text(filled_in(text))
    checked = tool.run(["--check-rules", rule])
    assert checked.status == tool.DONE, checked
    asked = test.read_text()
    definition = "scale = attributes['scale']; total = scale * inputs[0] + inputs[1]\n    return [total + inputs[2] if len(inputs) > 2 else total]"
    test.write_text(asked.replace('raise NotImplementedError("say here with numpy what acme::ScaledAdd computes")', definition))
    passed = run_test(tmp_path, test.name)
    assert passed.returncode == 0, passed.stderr
    assert tool.run(["net.onnx", "-o", "out.onnx", "--rules", "ScaledAdd.onnxtxt"], cwd=tmp_path).status == tool.DONE

    test.write_text(asked.replace('raise NotImplementedError("say here with numpy what acme::ScaledAdd computes")', "return [inputs[0] + inputs[1]]"))
    wrong = run_test(tmp_path, test.name)
    assert wrong.returncode != 0 and "Not equal to tolerance" in wrong.stderr, wrong.stderr


@pytest.mark.parametrize(("node", "declared", "known"), [
    ("y = acme.Odd <axes = [1, 2], w = 1> (x)", "Odd <axes: ints, w: int> (x) => (y)", "#   axes = [1, 2]"),
    ('y = acme.Odd <t = float[2] {1, 2}> (x, "", z)', "Odd <t: tensor> (x, x2, z) => (y)", "#   x2: absent here"),
    ("y, more = acme.Odd (x, z)", "Odd (x, z) => (y, more)", "#   gives more: a type that is not known"),
    ('"a/b:0" = acme.Odd ("x", "x")  y = Relu ("a/b:0")', "Odd (x, x2) => (y)", "#   x: float[2,k]"),
    ("y = acme.Odd <g = b () => (float[1] v) { v = Identity (z) }> (x)", "Odd <g: graph> (x) => (y)", "#   g = a graph of 1 node"),
])
def test_forms_of_all_kinds(tmp_path: pathlib.Path, node: str, declared: str, known: str) -> None:
    run = begun(tmp_path, f'<ir_version: 8, opset_import: ["" : 17, "acme" : 1]> g (float[2,k] x, int64[5] z) => (float[2,k] y) {{ {node} }}', "acme::Odd", "--output-dir", "new")
    assert run.status == tool.DONE, run
    text = (tmp_path / "new" / "Odd.onnxtxt").read_text()
    assert declared in text and known in text, text
    assert (tmp_path / "new" / "test_Odd.py").exists() == ("graph" not in declared)
    unfinished = tool.run(["--check-rules", tmp_path / "new" / "Odd.onnxtxt"])
    assert "FILL_IN" in unfinished.stderr and unfinished.stderr.count("error:") == 1, unfinished


def test_a_standard_operator_that_a_target_lacks(tmp_path: pathlib.Path) -> None:
    run = begun(tmp_path, '<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (int64[1,m] y) { y = NonZero (x) }', "NonZero", "--target", "tensorrt-8.6")
    assert run.status in (tool.DONE, tool.WRONG_USAGE), run
    if run.status == tool.DONE:
        assert '<domain: "ai.onnx", opset_import: ["" : 17]>' in (tmp_path / "NonZero.onnxtxt").read_text()


def test_what_is_there_stays(tmp_path: pathlib.Path) -> None:
    assert begun(tmp_path, TWO_FORMS, "acme::ScaledAdd").status == tool.DONE
    (tmp_path / "ScaledAdd.onnxtxt").write_text("mine")
    again = begun(tmp_path, TWO_FORMS, "acme::ScaledAdd")
    tool.assert_clean_refusal(again, tool.FILE_ERROR)
    assert (tmp_path / "ScaledAdd.onnxtxt").read_text() == "mine" and "--output-dir" in again.stderr


@pytest.mark.parametrize(("operator", "said"), [("acme::ScaledAd", "is it acme::ScaledAdd?"), ("other::Thing", "there is: acme::ScaledAdd"), ("acme", "there is: acme::ScaledAdd")])
def test_an_operator_that_is_not_there(tmp_path: pathlib.Path, operator: str, said: str) -> None:
    refused = begun(tmp_path, TWO_FORMS, operator)
    tool.assert_clean_refusal(refused, tool.WRONG_USAGE)
    assert said in refused.stderr, refused


def test_it_takes_one_model(tmp_path: pathlib.Path) -> None:
    for arguments in ([], ["a.onnx", "b.onnx"]):
        refused = tool.run(["--new-rule", "acme::X", *arguments], cwd=tmp_path)
        tool.assert_clean_refusal(refused, tool.WRONG_USAGE)
        assert "give one model" in refused.stderr

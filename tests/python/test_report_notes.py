# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The report says what a rule proved of lost numbers, what it took for granted, and how many nodes it made."""
from __future__ import annotations

import json
import pathlib

import onnx
import tool

CASES = tool.TESTDATA / "golden" / "custom" / "deform_conv2d"


def note_of(case: str, tmp_path: pathlib.Path) -> str:
    report = tmp_path / "report.json"
    result = tool.run([CASES / f"{case}.in.onnxtxt", "-o", tmp_path / "out.onnx", "--report", report])
    assert result.status == tool.DONE, str(result)
    (lowered,) = json.loads(report.read_text())["lowered"]
    return lowered.get("note", "")


def test_what_was_proved(tmp_path: pathlib.Path) -> None:
    assert "stride 2 of the height: the only one that fits the shapes" in note_of("stride-from-shapes", tmp_path)


def test_what_was_taken_for_granted(tmp_path: pathlib.Path) -> None:
    assert "stride, padding, dilation of the width: the default, which agrees with the shapes" in note_of("lost-numbers", tmp_path)


def test_an_assumption_is_a_warning(tmp_path: pathlib.Path) -> None:
    """Nothing is known of the sizes, so nothing speaks for the default."""
    report = tmp_path / "report.json"
    model = tool.TESTDATA / "cases" / "dcn_lossy_dyn" / "model.onnx"
    result = tool.run([model, "-o", tmp_path / "out.onnx", "--report", report])
    assert result.status == tool.DONE, str(result)
    assumed = "stride, padding, dilation of the height: the default, which no known shape contradicts"
    (lowered,) = json.loads(report.read_text())["lowered"]
    assert assumed in lowered["assumption"]
    assert "warning: " in result.stderr and assumed in result.stderr and "--set" in result.stderr
    assert "warning" not in tool.run([model, "-o", tmp_path / "out.onnx", "-q"]).stderr


def test_what_the_shapes_agree_with_is_no_warning(tmp_path: pathlib.Path) -> None:
    assert "warning" not in tool.run([CASES / "lost-numbers.in.onnxtxt", "-o", tmp_path / "out.onnx"]).stderr


def test_nothing_to_say(tmp_path: pathlib.Path) -> None:
    assert note_of("standard", tmp_path) == ""


def test_how_many_nodes_a_large_body_became(tmp_path: pathlib.Path) -> None:
    """Forty times thirteen nodes, more than are kept as one run of nodes, and one more."""
    calls = " ".join(f"a{number + 1} = com.microsoft.FastGelu (a{number})" for number in range(40))
    imports = 'opset_import: ["" : 18, "d" : 1, "com.microsoft" : 1]'
    text = f'<ir_version: 8, {imports}> g (float[4] x) => (float[4] y) {{ y = d.F (x) }} <domain: "d", {imports}> F (a0) => (b) {{ {calls} b = Relu (a40) }}'
    source, target, report = tmp_path / "in.onnx", tmp_path / "out.onnx", tmp_path / "report.json"
    onnx.save(onnx.parser.parse_model(text), source)
    result = tool.run([source, "-o", target, "--report", report])
    assert result.status == tool.DONE, str(result)
    (lowered,) = json.loads(report.read_text())["lowered"]
    assert lowered["nodes_made"] == len(onnx.load(target).graph.node) == 521


def test_operators_of_nearly_that_name(tmp_path: pathlib.Path) -> None:
    """Where there is no rule, the operator may be misspelt; where there is one, it is not."""
    for op, similar in (("cstTreshold", "rknn_cst::cstThreshold"), ("cstThreshold", "")):
        report = tmp_path / "report.json"
        text = f'<ir_version: 8, opset_import: ["" : 18, "rknn_cst" : 1]> g (float[4] x) => (float[4] y) {{ y = rknn_cst.{op} (x) }}'
        result = tool.lower(onnx.parser.parse_model(text).SerializeToString(), ["--report", report])
        tool.assert_clean_refusal(result, tool.NOT_LOWERED)
        (unlowered,) = json.loads(report.read_text())["unlowered"]
        assert unlowered["similar_operators"][:1] == [similar] * bool(similar)
        assert ("there is: rknn_cst::cstThreshold," in result.stderr) == bool(similar)


def test_sparse_initializers_of_what_is_taken_back_are_not_counted(tmp_path: pathlib.Path) -> None:
    """The function has one in a branch, and stays for its second node: it is one, however often its body was tried."""
    text = """<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (float[4] x, bool c) => (float[4] y) { y = d.F (x, c) }
<domain: "d", opset_import: ["" : 18, "d" : 1]> F (x, c) => (y) {
  t = If (c) <then_branch = a () => (float[4] p) { p = Identity (s) }, else_branch = b () => (float[4] q) { q = Neg (x) }>
  y = d.Unknown (t)
}"""
    model, report = onnx.parser.parse_model(text), tmp_path / "report.json"
    branch = next(attribute.g for attribute in model.functions[0].node[0].attribute if attribute.name == "then_branch")
    values = onnx.helper.make_tensor("s", onnx.TensorProto.FLOAT, [1], [2.0])
    branch.sparse_initializer.append(onnx.helper.make_sparse_tensor(values, onnx.helper.make_tensor("", onnx.TensorProto.INT64, [1], [1]), [4]))
    result = tool.lower(model.SerializeToString(), ["--report", report])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert json.loads(report.read_text())["densified_initializers"] == 1


def test_lines_are_those_of_rules(tmp_path: pathlib.Path) -> None:
    """A node in the branch that is taken stands in the model, which has no lines to go to."""
    text = """<ir_version: 8, opset_import: ["" : 18, "d" : 1]> g (float[4] x) => (float[4] y) { y = d.F (x) }
<domain: "d", opset_import: ["" : 18, "d" : 1]> F (x) => (y) {
  c = Constant <value = bool {1}> ()
  y = If (c) <then_branch = a () => (t) { t = d.Unknown (x) }, else_branch = b () => (u) { u = Relu (x) }>
}"""
    result = tool.lower(onnx.parser.parse_model(text).SerializeToString())
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert "its body's node 'y' (d::Unknown) cannot be lowered: d::Unknown has no rule" in result.stderr


# The opset that is advised is one at which the model is lowered.

ONE_CALL = '<ir_version: 5, opset_import: ["" : 10, "d" : 1]> g (float[4] x) => (seq(float[4]) y) { y = d.F (x) }'
LISTS_FROM_11 = '<domain: "d", opset_import: ["" : 11]> F (x) => (y) { y = SequenceConstruct (x) }'


def advised(text: str, rule: str, tmp_path: pathlib.Path) -> int | None:
    path, report = tmp_path / "rule.onnxtxt", tmp_path / "report.json"
    path.write_text(rule)
    model = onnx.parser.parse_model(text).SerializeToString()
    result = tool.lower(model, ["--rules", path, "--report", report])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    opset = json.loads(report.read_text())["unlowered"][0]["target_opset"]
    assert ("--target-opset" in result.stderr) == (opset is not None)
    if opset is not None:
        assert tool.lower(model, ["--rules", path, "--target-opset", opset]).status == tool.DONE
    return opset


def test_an_opset_at_which_the_next_node_is_refused(tmp_path: pathlib.Path) -> None:
    """Lists are there from 11 on, and the Loop that a SequenceMap becomes takes them from 13 on: what is refused first tells of 11 only."""
    assert advised(ONE_CALL, LISTS_FROM_11, tmp_path) == 11
    rule = """<domain: "d", opset_import: ["" : 17]> F (x) => (y) {
  s = SequenceConstruct (x)
  y = SequenceMap (s) <body = b (float[4] e) => (float[4] f) { f = Relu (e) }>
}"""
    assert advised(ONE_CALL, rule, tmp_path) == 13


def test_an_opset_at_which_the_rules_are_wrong(tmp_path: pathlib.Path) -> None:
    """At 10 the rule is refused for its first node, and at 11 because it comes round to itself."""
    rule = """<domain: "d", opset_import: ["" : 11, "d" : 1]> F (x) => (y) { s = SequenceConstruct (x) y = d.G (s) }
<domain: "d", opset_import: ["" : 11, "d" : 1]> G (x) => (y) { y = d.F (x) }"""
    assert advised(ONE_CALL, rule, tmp_path) is None


def test_no_opset_has_an_operator_that_never_was(tmp_path: pathlib.Path) -> None:
    """The model's own function has one, and the user's rule needs 11."""
    function = '<domain: "d", opset_import: ["" : 10]> F (x) => (y) { y = Unknown (x) }'
    path, report = tmp_path / "rule.onnxtxt", tmp_path / "report.json"
    path.write_text(LISTS_FROM_11)
    result = tool.lower(onnx.parser.parse_model(ONE_CALL.replace("ir_version: 5", "ir_version: 8") + function).SerializeToString(), ["--rules", path, "--report", report])
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    assert [node["target_opset"] for node in json.loads(report.read_text())["unlowered"]] == [11, None]

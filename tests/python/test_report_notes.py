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

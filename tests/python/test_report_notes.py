"""The report says what a rule proved of lost numbers, and what it took for granted."""
from __future__ import annotations

import json
import pathlib

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


def test_nothing_to_say(tmp_path: pathlib.Path) -> None:
    assert note_of("standard", tmp_path) == ""

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Golden text: testdata/golden/<domain>/<Op>/<case>.in.onnxtxt is lowered to <case>.out.onnxtxt, character by character.

A `bad-<case>.in.onnxtxt` must fail as its bad-<case>.stderr says: the first line is "exit status N", the rest the message. Further arguments stand in <case>.args, one
per line. With BLESS=1 in the environment the expectations are written instead of compared; those whose input is gone are removed.
Golden text shows what a rule does; that it is right is shown by numbers (test_numbers.py), so prove these first.
"""
from __future__ import annotations

import difflib
import os
import pathlib

import pytest

import tool

GOLDEN = tool.TESTDATA / "golden"
BLESS = os.environ.get("BLESS") == "1"
INPUT, OUTPUT, MESSAGE, ARGUMENTS = ".in.onnxtxt", ".out.onnxtxt", ".stderr", ".args"
INPUTS = sorted(GOLDEN.glob(f"*/*/*{INPUT}"))


def beside(path: pathlib.Path, suffix: str) -> pathlib.Path:
    return path.with_name(path.name.removesuffix(INPUT) + suffix)


def compare_or_bless(path: pathlib.Path, text: str) -> None:
    if BLESS:
        path.write_text(text)
        return
    assert path.exists(), f"{path.name} is missing; look at this, and record it with BLESS=1:\n{text}"
    if text != (recorded := path.read_text()):
        difference = "".join(difflib.unified_diff(recorded.splitlines(True), text.splitlines(True), "recorded", "now"))
        pytest.fail(f"{path.relative_to(tool.REPOSITORY)} says otherwise:\n{difference}", False)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: str(path.relative_to(GOLDEN)).removesuffix(INPUT))
def test_golden(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    extra = beside(path, ARGUMENTS).read_text().splitlines() if beside(path, ARGUMENTS).exists() else []
    output = tmp_path / "out.onnxtxt"
    result = tool.run([path.name, "-o", output, "--color", "never", *extra], cwd=path.parent)
    if path.name.startswith("bad-"):
        tool.assert_clean_refusal(result)
        assert not output.exists(), "it failed, and yet it wrote"
        compare_or_bless(beside(path, MESSAGE), f"exit status {result.status}\n{result.stderr}")
        return
    assert result.status == tool.DONE, str(result)
    lowered = output.read_text()
    compare_or_bless(beside(path, OUTPUT), lowered)
    again = tool.run([output, "-o", tmp_path / "again.onnxtxt", *extra], cwd=path.parent)
    assert again.status == tool.DONE, str(again)
    assert (tmp_path / "again.onnxtxt").read_text() == lowered, "lowering the result once more changes it"


def test_no_stale_expectations() -> None:
    inputs = set(INPUTS)
    stale = []
    for suffix in (OUTPUT, MESSAGE, ARGUMENTS):
        for path in sorted(GOLDEN.glob(f"*/*/*{suffix}")):
            source = path.with_name(path.name.removesuffix(suffix) + INPUT)
            wrong_kind = suffix != ARGUMENTS and (suffix == MESSAGE) != path.name.startswith("bad-")
            if source not in inputs or wrong_kind:
                stale.append(path)
    if BLESS:
        for path in stale:
            path.unlink()
        return
    assert not stale, f"expectations without a case: {[str(path.relative_to(GOLDEN)) for path in stale]}"


def test_files_lie_where_they_are_found() -> None:
    known = {path for suffix in (INPUT, OUTPUT, MESSAGE, ARGUMENTS) for path in GOLDEN.glob(f"*/*/*{suffix}")}
    lost = [str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*") if path.is_file() and path not in known]
    assert not lost, f"not golden text of an operator: {lost}"


def test_every_rule_has_golden_text() -> None:
    shown = {(path.parent.parent.name, path.parent.name) for path in INPUTS}
    rules = tool.built_in_rules()
    shown |= {(domain, "*") for domain, op_type in shown if (domain, op_type) not in rules}
    missing = rules - shown - {("aten", "*")}  # which other texts of the domain show
    assert not missing, "no golden text for " + ", ".join(sorted("::".join(rule) for rule in missing))

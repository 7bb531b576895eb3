# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Whole models: what must become of each.

A folder of testdata/cases is one: model.onnx, case.json, inputs_K.npz and expected_K.npz (the K-th set of arrays, which the exporting framework or a plain definition
computed), and what the model or the arguments refer to. The folders of testdata/exports hold many small ones: <name>.onnx, <name>.npz with arrays inputs_K/<input> and
expected_K/<output>, and an entry <name> in cases.json. A case says: `arguments` for the tool; `expect` "lowered" or "refused" (exit status 1 and no output);
`rtol` and `atol`; `pass_through` when nothing custom is in the model, so that it must come out byte for byte; `metadata` that must be kept; `names` that the message of a
refusal must contain; `cannot`: why a runtime itself cannot run it. What became another one of the two than a case says is a failure, also for the better: BLESS=1 in the
environment, and no -n, writes it into the case. ONNX_LOWER_CASES may name one more folder of such folders as testdata/exports has.
"""
from __future__ import annotations

import collections
import dataclasses
import json
import os
import pathlib
import shutil

import numpy as np
import onnx
import pytest

import model_checks
import runtimes
import tool
from compare import assert_equal

Arrays = dict[str, np.ndarray]


@dataclasses.dataclass
class ModelCase:
    name: str
    says: dict
    model: pathlib.Path
    arrays: list[pathlib.Path]
    record: pathlib.Path  # the file that says it
    beside: list[pathlib.Path] = dataclasses.field(default_factory=list)  # external data and rules

    def sets(self) -> list[tuple[Arrays, Arrays]]:
        """The sets of inputs and expected outputs."""
        found: dict[str, tuple[Arrays, Arrays]] = collections.defaultdict(lambda: ({}, {}))
        for path in self.arrays:
            with np.load(path) as file:
                for key in file.files:
                    kind, name = key.split("/", 1) if len(self.arrays) == 1 and "/" in key else (path.stem, key)
                    side, number = kind.split("_")
                    found[number][side == "expected"][name] = file[key]
        return [found[number] for number in sorted(found, key=int)]


def cases_in_folders() -> list[ModelCase]:
    found = []
    for path in sorted((tool.TESTDATA / "cases").glob("*/case.json")):
        others = [other for other in path.parent.iterdir() if other.name not in ("case.json", "model.onnx")]
        arrays = sorted(other for other in others if other.suffix == ".npz")
        beside = sorted(other for other in others if other.suffix != ".npz")
        found.append(ModelCase(path.parent.name, json.loads(path.read_text()), path.with_name("model.onnx"), arrays, path, beside))
    return found


def exports() -> list[ModelCase]:
    found = []
    for root in (tool.TESTDATA / "exports", os.environ.get("ONNX_LOWER_CASES")):
        for path in sorted(pathlib.Path(root).glob("*/cases.json")) if root else ():
            for name, says in json.loads(path.read_text()).items():
                found.append(ModelCase(name, says, path.with_name(f"{name}.onnx"), [path.with_name(f"{name}.npz")], path))
    return found


CASES = [*cases_in_folders(), *exports()]
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def is_for_openvino(case: ModelCase) -> bool:
    if case.says["expect"] == "refused" or "openvino" in case.says.get("cannot", {}):
        return False
    return not runtimes.openvino_limit(onnx.load(case.model, load_external_data=False))


# What OpenVINO cannot do whatever the tool writes is no test of ours.
OPENVINO_CASES = pytest.mark.parametrize("case", [case for case in CASES if is_for_openvino(case)], ids=lambda case: case.name)
BLESS = os.environ.get("BLESS") == "1"
BAD = tool.TESTDATA / "bad"
BAD_FILES = json.loads((BAD / "bad.json").read_text())


def lower(case: ModelCase, workplace: pathlib.Path) -> tuple[tool.Run, pathlib.Path]:
    """Runs the tool in a copy of the case's files."""
    shutil.copy(case.model, workplace / "model.onnx")
    for path in case.beside:
        shutil.copy(path, workplace)
    output = workplace / "out.onnx"
    present = set(workplace.iterdir())
    result = tool.run(["model.onnx", "-o", output.name, *case.says.get("arguments", [])], cwd=workplace)
    assert (workplace / "model.onnx").read_bytes() == case.model.read_bytes(), "the input was changed"
    left = set(workplace.iterdir()) - present - ({output} if result.status == tool.DONE else set())
    assert not left, f"files were left behind: {sorted(path.name for path in left)}"
    return result, output


def check_outcome(result: tool.Run, case: ModelCase) -> None:
    """Whether it was lowered or refused, as the case says."""
    outcome = {tool.DONE: "lowered", tool.NOT_LOWERED: "refused"}.get(result.status)
    assert outcome, str(result)
    if outcome != case.says["expect"] and BLESS:
        says = json.loads(case.record.read_text())
        (says if case.record.name == "case.json" else says[case.name])["expect"] = case.says["expect"] = outcome
        case.record.write_text(json.dumps(says, indent=1, ensure_ascii=False) + "\n")
    assert outcome == case.says["expect"], f"recorded as {case.says['expect']}, and {outcome} now; if that is meant, record it with BLESS=1: {result}"


def check_refusal(result: tool.Run, case: ModelCase) -> None:
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    for name in case.says.get("names", []):
        assert name in result.stderr, f"the message does not name {name}: {result.stderr}"


def check_model(case: ModelCase, output: pathlib.Path) -> None:
    before = onnx.load(case.model, load_external_data=False)
    after = onnx.load(output, load_external_data=False)
    model_checks.assert_standard(after)
    if any(tensor.external_data for tensor in after.graph.initializer):
        onnx.checker.check_model(output, full_check=True)
    else:
        inputs, expected = case.sets()[0]
        model_checks.assert_valid(after, {**inputs, **expected})
    model_checks.assert_same_interface(before, after)
    metadata = {entry.key: entry.value for entry in after.metadata_props}
    assert {entry.key: entry.value for entry in before.metadata_props} == metadata
    assert case.says.get("metadata", {}).items() <= metadata.items()
    if case.says.get("pass_through"):
        assert output.read_bytes() == case.model.read_bytes(), "nothing was to be lowered, yet the bytes differ"


def check_numbers(case: ModelCase, run: runtimes.Runner, *, any_dtype: bool = False) -> None:
    rtol, atol = case.says["rtol"], case.says["atol"]
    if any_dtype:
        rtol, atol = max(rtol, 1e-5), max(atol, 1e-6)
    for number, (inputs, expected) in enumerate(case.sets()):
        got = run(inputs)
        for name, want in expected.items():
            assert_equal(f"set {number}, {name}", got[name], want, rtol, atol, any_dtype=any_dtype)


@EVERY_CASE
def test_case(case: ModelCase, tmp_path: pathlib.Path) -> None:
    result, output = lower(case, tmp_path)
    check_outcome(result, case)
    if case.says["expect"] == "refused":
        return check_refusal(result, case)
    check_model(case, output)
    check_numbers(case, runtimes.in_onnxruntime(str(output)))


@OPENVINO_CASES
def test_case_in_openvino(case: ModelCase, tmp_path: pathlib.Path) -> None:
    result, output = lower(case, tmp_path)
    assert result.status == tool.DONE, str(result)
    if limit := runtimes.openvino_limit(onnx.load(output, load_external_data=False)):
        pytest.skip(f"OpenVINO cannot: {limit}")
    check_numbers(case, runtimes.in_openvino(str(output)), any_dtype=True)


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file(name: str, tmp_path: pathlib.Path) -> None:
    """The file is used where it lies, so that the paths of external data are judged as in real use."""
    result = tool.run([BAD / name, "-o", tmp_path / "out.onnx"])
    tool.assert_clean_refusal(result, BAD_FILES[name]["status"])
    assert name in result.stderr, f"the message does not name the file: {result.stderr}"
    assert not list(tmp_path.iterdir()), "something was written"


def test_every_bad_file_is_listed() -> None:
    assert {path.name for path in BAD.iterdir()} - {"bad.json"} == set(BAD_FILES)

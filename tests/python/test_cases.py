"""Whole models: each folder of testdata/cases and testdata/exports is one, with what must become of it in its case.json.

case.json: `arguments` for the tool; `expect` "lowered", "refused" (exit status 1 and no output) or "either"; `rtol` and `atol`; `pass_through` when nothing
custom is in the model, so that it must come out byte for byte; `metadata` that must be kept; `names` that the message of a refusal must contain; `cannot`: what a
runtime itself cannot run. inputs_K.npz and expected_K.npz are the K-th set of arrays, which the exporting framework or a plain definition computed.
"""
from __future__ import annotations

import json
import pathlib
import shutil

import numpy as np
import onnx
import pytest

import model_checks
import runtimes
import tool
from compare import assert_equal

FOLDERS = [path.parent for kind in ("cases", "exports") for path in sorted((tool.TESTDATA / kind).glob("*/case.json"))]
EVERY_CASE = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
BAD = tool.TESTDATA / "bad"
BAD_FILES = json.loads((BAD / "bad.json").read_text())


def sets_of(folder: pathlib.Path) -> list[tuple[dict[str, np.ndarray], dict[str, np.ndarray]]]:
    def arrays(path: pathlib.Path) -> dict[str, np.ndarray]:
        with np.load(path) as file:
            return dict(file)

    paths = sorted(folder.glob("inputs_*.npz"))
    return [(arrays(path), arrays(path.with_name(path.name.replace("inputs", "expected")))) for path in paths]


def lower(folder: pathlib.Path, case: dict, workplace: pathlib.Path) -> tuple[tool.Run, pathlib.Path]:
    """Runs the tool in a copy of the case's folder, where external data and rules lie beside the model."""
    for path in folder.iterdir():
        if path.suffix not in (".json", ".npz"):
            shutil.copy(path, workplace)
    output = workplace / "out.onnx"
    before = (workplace / "model.onnx").read_bytes()
    present = set(workplace.iterdir())
    result = tool.run(["model.onnx", "-o", output.name, *case.get("arguments", [])], cwd=workplace)
    assert (workplace / "model.onnx").read_bytes() == before, "the input was changed"
    left = set(workplace.iterdir()) - present - ({output} if result.status == tool.DONE else set())
    assert not left, f"files were left behind: {sorted(path.name for path in left)}"
    return result, output


def check_refusal(result: tool.Run, case: dict) -> None:
    tool.assert_clean_refusal(result, tool.NOT_LOWERED)
    for name in case.get("names", []):
        assert name in result.stderr, f"the message does not name {name}: {result.stderr}"


def check_model(folder: pathlib.Path, case: dict, output: pathlib.Path) -> None:
    before = onnx.load(folder / "model.onnx", load_external_data=False)
    after = onnx.load(output, load_external_data=False)
    model_checks.assert_standard(after)
    arrays: dict[str, np.ndarray] = {}
    for inputs, expected in sets_of(folder)[:1]:
        arrays = {**inputs, **expected}
    if (folder / "weights.bin").exists():
        onnx.checker.check_model(output, full_check=True)
    else:
        model_checks.assert_valid(after, arrays)
    model_checks.assert_same_interface(before, after)
    metadata = {entry.key: entry.value for entry in after.metadata_props}
    assert {entry.key: entry.value for entry in before.metadata_props} == metadata
    assert case.get("metadata", {}).items() <= metadata.items()
    if case.get("pass_through"):
        assert output.read_bytes() == (folder / "model.onnx").read_bytes(), "nothing was to be lowered, yet the bytes differ"


def check_numbers(folder: pathlib.Path, case: dict, run: runtimes.Runner, *, any_dtype: bool = False) -> None:
    for number, (inputs, expected) in enumerate(sets_of(folder)):
        got = run(inputs)
        for name, want in expected.items():
            assert_equal(f"set {number}, {name}", got[name], want, case["rtol"], case["atol"], any_dtype=any_dtype)


@EVERY_CASE
def test_case(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = json.loads((folder / "case.json").read_text())
    result, output = lower(folder, case, tmp_path)
    if case["expect"] == "refused" or (case["expect"] == "either" and result.status != tool.DONE):
        return check_refusal(result, case)
    assert result.status == tool.DONE, str(result)
    check_model(folder, case, output)
    check_numbers(folder, case, runtimes.in_onnxruntime(str(output)))


@EVERY_CASE
def test_case_in_openvino(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    case = json.loads((folder / "case.json").read_text())
    if case["expect"] == "refused":
        pytest.skip("nothing to run")
    limit = case.get("cannot", {}).get("openvino") or runtimes.openvino_limit(onnx.load(folder / "model.onnx", load_external_data=False))
    if limit:
        pytest.skip(f"OpenVINO cannot: {limit}")
    result, output = lower(folder, case, tmp_path)
    if case["expect"] == "either" and result.status != tool.DONE:
        pytest.skip("the tool refuses it, as it may")
    assert result.status == tool.DONE, str(result)
    loose = {**case, "rtol": max(case["rtol"], 1e-5), "atol": max(case["atol"], 1e-6)}
    check_numbers(folder, loose, runtimes.in_openvino(str(output)), any_dtype=True)


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file(name: str, tmp_path: pathlib.Path) -> None:
    """The file is used where it lies, so that the paths of external data are judged as in real use."""
    result = tool.run([BAD / name, "-o", tmp_path / "out.onnx"])
    tool.assert_clean_refusal(result, BAD_FILES[name]["status"])
    assert name in result.stderr, f"the message does not name the file: {result.stderr}"
    assert not list(tmp_path.iterdir()), "something was written"


def test_every_bad_file_is_listed() -> None:
    assert {path.name for path in BAD.iterdir()} - {"bad.json"} == set(BAD_FILES)

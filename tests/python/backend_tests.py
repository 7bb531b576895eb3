# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The node tests of onnx's own backend suite: one model for each, its inputs, and the outputs that the operator's definition gives.

What ONNX Runtime runs as it is, and rightly, has to run rightly after `--target-opset`, or to be refused with a reason.
"""
from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import itertools
import json
import multiprocessing
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import onnx

import runtimes
import tool

OPSETS = (21, 17, 15, 13, 11, 9)

RIGHT, WRONG, UNLOADABLE, REFUSED, CRASHED = "right", "wrong", "unloadable", "refused", "crashed"


@dataclasses.dataclass
class BackendTest:
    name: str
    model: onnx.ModelProto
    data_sets: list[tuple[list[Any], list[Any]]]
    rtol: float
    atol: float

    @property
    def operator(self) -> str:
        """What the test is about: the model's first node, by its domain too where that is not the default one."""
        node = self.model.graph.node[0]
        named = re.sub(r"_expanded(_ver\d+)?$", "", self.name)
        if named != self.name and (origin := _operators_of_tests().get(named)):
            return origin
        return f"{node.domain}::{node.op_type}" if node.domain not in ("", "ai.onnx") else node.op_type


@functools.lru_cache(maxsize=1)
def every_test() -> dict[str, BackendTest]:
    """All of them by name; those whose data are drawn at random are the same in every process."""
    random.seed(0)
    np.random.seed(0)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        from onnx.backend.test.case import node as node_tests

        cases = node_tests.collect_testcases(None)
    return {case.name: BackendTest(case.name, case.model, case.data_sets, case.rtol, case.atol) for case in cases}


@functools.lru_cache(maxsize=1)
def _operators_of_tests() -> dict[str, str]:
    return {test.name: test.model.graph.node[0].op_type for test in every_test().values() if "_expanded" not in test.name}


def fed(value: Any) -> Any:
    """A value as the runtimes take it: what NumPy has no type for stays out, as a TypeError."""
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    if isinstance(value, (list, tuple)):
        return [fed(item) for item in value]
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "biufcUSO":
        raise TypeError(f"ONNX Runtime's Python takes no {array.dtype}")
    return array


def assert_near(got: Any, want: Any, rtol: float, atol: float, *, any_dtype: bool = False) -> None:
    """As onnx's backend test runner compares."""
    if isinstance(want, onnx.TensorProto):
        want = onnx.numpy_helper.to_array(want)
    if want is None:
        assert got is None
    elif isinstance(want, (list, tuple)):
        assert isinstance(got, (list, tuple)) and len(got) == len(want), f"{len(want)} values expected"
        for one, other in zip(got, want):
            assert_near(one, other, rtol, atol, any_dtype=any_dtype)
    else:
        want, got = np.asarray(want), np.asarray(got)
        assert got.shape == want.shape, f"shape {got.shape}, not {want.shape}"
        if want.dtype.kind in "OUS":
            assert (got.astype(str) == want.astype(str)).all()
            return
        assert any_dtype or got.dtype == want.dtype, f"{got.dtype}, not {want.dtype}"
        exact = want.dtype.kind in "biu"
        np.testing.assert_allclose(got.astype(np.float64) if not exact else got, want.astype(np.float64) if not exact else want, rtol, atol)


def verdict(model: bytes, test: BackendTest, make: Callable[[bytes], Callable], *, any_dtype: bool = False) -> tuple[str, str]:
    """Whether a runtime computes with the model what the test expects: right, wrong or unloadable, and what there is to say of it."""
    try:
        run = make(model)
    except Exception as error:
        return UNLOADABLE, str(error)
    names = [value.name for value in test.model.graph.input]
    outputs = [value.name for value in test.model.graph.output]
    for inputs, expected in test.data_sets:
        try:
            feeds = dict(zip(names, map(fed, inputs)))
            got = run(feeds)
        except Exception as error:
            return UNLOADABLE, str(error)
        try:
            for name, want in zip(outputs, expected):
                assert_near(got[name], want, test.rtol, test.atol, any_dtype=any_dtype)
        except AssertionError as error:
            return WRONG, str(error)
    return RIGHT, ""


def runs(test: BackendTest) -> bool:
    """Whether ONNX Runtime runs it as it is, and rightly."""
    return verdict(test.model.SerializeToString(), test, runtimes.in_onnxruntime)[0] == RIGHT


def _runs_by_name(name: str) -> bool:
    return runs(every_test()[name])


def in_processes(function: Callable, arguments: Sequence, workers: int = 2) -> list:
    """Several processes made by fork have the tests in memory already."""
    every_test()
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork")) as pool:
        return list(pool.map(function, arguments, chunksize=8))


def those_that_run(names: Iterable[str]) -> list[str]:
    names = list(names)
    return [name for name, good in zip(names, in_processes(_runs_by_name, names)) if good]


def sample(count: int) -> list[str]:
    """So many of those that run, the same ones always, of all operators."""
    names = sorted(every_test(), key=lambda name: zlib.crc32(name.encode()))
    return sorted(itertools.islice((name for name in names if runs(every_test()[name])), count))


@dataclasses.dataclass
class Outcome:
    name: str
    opset: int
    verdict: str
    detail: str


def _judge(asked: tuple[str, int, pathlib.Path, str]) -> Outcome:
    name, opset, path, refusal = asked
    if refusal:
        return Outcome(name, opset, REFUSED, refusal)
    return Outcome(name, opset, *verdict(path.read_bytes(), every_test()[name], runtimes.in_onnxruntime))


def written(names: Sequence[str], folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """Each model as it is, in a file."""
    (folder / "given").mkdir(exist_ok=True)
    files = {name: folder / "given" / f"{name}.onnx" for name in names}
    for name, path in files.items():
        if not path.exists():
            onnx.save(every_test()[name].model, path)
    return files


def lowered(names: Sequence[str], opset: int, folder: pathlib.Path, target: str = "") -> dict[str, tuple[pathlib.Path, str]]:
    """Each model for that opset, and that runtime where one is named: its file, and why it was refused; empty if it was not."""
    written(names, folder)
    given, made, report = folder / "given", folder / f"opset{opset}{target}", folder / f"opset{opset}{target}.jsonl"
    named = ["--target", target] if target else []
    result = tool.run([given, "--output-dir", made, "--target-opset", opset, *named, "--report", report, "-q", "--force"], timeout=600)
    assert result.status in (tool.DONE, tool.SOME_FAILED), str(result)
    records = {}
    for line in report.read_text().splitlines():
        record = json.loads(line)
        if "input" in record:
            records[pathlib.Path(record["input"]).stem] = record
    refusals = {name: record["error"] or "no reason" if record["exit_status"] != tool.DONE else "" for name, record in records.items()}
    return {name: (made / f"{name}.onnx", refusals[name]) for name in names}


def outcomes(names: Sequence[str], opset: int, folder: pathlib.Path) -> list[Outcome]:
    files = lowered(names, opset, folder)
    return in_processes(_judge, [(name, opset, *files[name]) for name in names])


def in_openvino(files: dict[str, pathlib.Path]) -> dict[str, str]:
    """What becomes of tests' models in OpenVINO, which has fewer types than ONNX: the verdict, and what there is to say of it. It may take its process with it: then another goes on behind
    the model that killed it."""
    said: dict[str, str] = {}
    while left := [(name, path) for name, path in files.items() if name not in said]:
        asked = pickle.dumps([(every_test()[name], path) for name, path in left])
        done = subprocess.run([sys.executable, __file__], input=asked, capture_output=True, check=False)
        answers = done.stdout.decode(errors="replace").splitlines()
        said |= dict(zip((name for name, _ in left), answers))
        if len(answers) < len(left):
            assert done.returncode < 0, f"not killed by a signal: {done.stderr.decode(errors='replace')}"
            said[left[len(answers)][0]] = f"{CRASHED} by signal {-done.returncode}"
    return said


def _answer_for_openvino() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a runtime prints is no answer
    for test, path in pickle.load(sys.stdin.buffer):
        said = " ".join(verdict(path.read_bytes(), test, runtimes.in_openvino, any_dtype=True))
        print(" ".join(said.split()), file=answers, flush=True)


def right_in_openvino(names: Sequence[str], folder: pathlib.Path) -> list[str]:
    """Those that it runs as they are, and rightly."""
    return [name for name, said in in_openvino(written(names, folder)).items() if said.startswith(RIGHT)]


def in_openvino_at(names: Sequence[str], opset: int, folder: pathlib.Path, target: str = "") -> dict[str, str]:
    """The same of the models for that opset, without those that are refused."""
    return in_openvino({name: path for name, (path, refusal) in lowered(names, opset, folder, target).items() if not refusal})


if __name__ == "__main__":
    _answer_for_openvino()

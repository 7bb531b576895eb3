# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Tries edge models: what each gives before and after it was lowered.

A runtime may die of what it is asked. So a process of its own tries some models, and says before each step what it is about to do.
"""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import onnx
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented

import model_checks
import runtimes
import tool
from compare import assert_equal
from edge_models.known_differences import known_difference
from edge_models.models import FOR_OPENVINO, FOR_RUNTIME, EdgeModel, declared, edge_model

RIGHT = "right"
UNCHANGED = "right, and no word of it changed"
REFUSED = "refused"
NO_ORACLE = "nothing says what the original gives"
NO_KERNEL = "ONNX Runtime has no kernel for what the opset calls for"
KNOWN = "known"
WRONG = "wrong"
NOT_TAKEN = "right, and OpenVINO takes neither the original nor what was written for it"
GOOD = (RIGHT, NOT_TAKEN, UNCHANGED, REFUSED, NO_ORACLE, NO_KERNEL, KNOWN)

SECONDS = 60  # for one step with one model, before its process is ended
TOGETHER = 25

ORIGINAL, LOWERING, LOWERED, OPENVINO = "the original in its runtime", "the tool", "the lowered model in ONNX Runtime", "the lowered model in OpenVINO"


@dataclasses.dataclass
class Outcome:
    seed: int
    kind: str
    verdict: str
    detail: str = ""
    stage: str = ""


# By the type of an output: how near a result is that each operation may round in its own way. Of a sum, 64 roundings and more.
TOLERANCES = {
    "rounded": {np.float16: (4e-3, 1e-3), np.float32: (2e-5, 2e-6), np.float64: (1e-9, 1e-9)},
    "sums": {np.float16: (1e-2, 1e-2), np.float32: (1e-4, 2e-5), np.float64: (1e-9, 1e-9)},
}


def tolerance(model: EdgeModel, want: Any) -> tuple[float, float]:
    dtype = np.asarray(want).dtype
    if model.near == "given":
        if dtype.kind != "f":
            return model.case.rtol if dtype.kind == "c" else 0.0, model.case.atol if dtype.kind == "c" else 0.0
        rtol, atol = TOLERANCES["rounded"][dtype.type]
        return max(model.case.rtol, rtol), max(model.case.atol, atol)
    if model.case is None and dtype in (np.int8, np.uint8):
        return 0.0, 1.0  # what lies between two steps of a quantized value may be rounded to either
    if dtype.kind != "f" or model.near == "exact":
        return 0.0, 0.0
    return TOLERANCES[model.near][dtype.type]


def assert_near(model: EdgeModel, got: dict[str, Any], wanted: dict[str, Any], where: str, *, loosely: bool = False) -> None:
    for name, want in wanted.items():
        rtol, atol = tolerance(model, want)
        if loosely and np.asarray(want).dtype.kind == "f":
            rtol, atol = max(rtol, 2e-4), max(atol, 1e-4)
        assert_equal(f"{where}, {name}", got[name], want, rtol, atol, any_dtype=loosely)


def wanted_of(model: EdgeModel) -> list[dict[str, Any]] | None:
    """What the original gives, and None where nothing tells."""
    if not model.feeds or model.case is None and not model.feeds[0]:
        return None
    try:
        if model.definition is not None:
            import one_node_model

            return [one_node_model.results(model.case, model.definition.expected(model.case, model.case.inputs))]
        run = runtimes.in_onnxruntime(model.proto.SerializeToString(), optimize=False)
        return [run(feeds) for feeds in model.feeds]
    except Exception:  # whatever the reason is, nobody says what the model computes
        return None


def lowered_together(models: Sequence[EdgeModel]) -> list[tool.Run]:
    contents, options = [model.proto.SerializeToString() for model in models], [model.options for model in models]
    try:
        return tool.lower_together(contents, options=options)
    except (AssertionError, subprocess.TimeoutExpired):
        # Which of them it was is seen when each has a run of its own.
        return [alone(content, given) for content, given in zip(contents, options)]


def alone(content: bytes, options: dict[str, Any]) -> tool.Run:
    return tool.lower(content, arguments(options))


def arguments(options: dict[str, Any]) -> list[str]:
    found = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        found += [flag] if value is True else [part for each in (value if isinstance(value, list) else [value]) for part in (flag, str(each))]
    return found


def judge(model: EdgeModel, wanted: list[dict[str, Any]] | None, result: tool.Run, say: Callable[[str], None]) -> tuple[str, str]:
    if result.status != tool.DONE:
        tool.assert_clean_refusal(result)
        if result.status == tool.WRONG_USAGE and wanted is not None:
            assert "give --input-shape" in result.stderr, str(result)
        # ONNX Runtime overlooks some of what is not valid.
        assert wanted is None or model.case is None or result.status in (tool.NOT_LOWERED, tool.WRONG_USAGE), f"a model that can be executed is not refused as invalid: {result}"
        return REFUSED, result.stderr
    after = onnx.load_model_from_string(result.stdout)
    if wanted is None:
        return NO_ORACLE, ""
    if model.case is not None:
        model_checks.assert_same_interface(model.proto, after)
    else:
        # What a changed model says wrongly of its outputs is put right, with a warning.
        assert [value.name for value in model.proto.graph.output] == [value.name for value in after.graph.output]
    if model.options.get("target") != FOR_RUNTIME and not any(node.domain not in ("", "ai.onnx", "ai.onnx.ml", "com.microsoft", "aten") for node in model_checks.all_nodes(model.proto)):
        model_checks.assert_standard(after)
    if not model.options and after == model.proto:
        return UNCHANGED, ""
    try:
        run = runtimes.in_onnxruntime(result.stdout, optimize=False)
    except NotImplemented as error:
        if model.options.get("target") == FOR_RUNTIME:
            raise
        return NO_KERNEL, str(error)
    for feeds, want in zip(model.feeds, wanted):
        assert_near(model, run(feeds), want, "ONNX Runtime")
    if model.options.get("target") == FOR_OPENVINO and not openvino_limit(model, after, wanted):
        say(OPENVINO)
        return judge_in_openvino(model, wanted, result.stdout)
    return RIGHT, ""


def openvino_limit(model: EdgeModel, after: onnx.ModelProto, wanted: list[dict[str, Any]]) -> str:
    if needs_64_bits(model, wanted):
        return "it computes 64-bit integers in 32 bits"
    return runtimes.openvino_limit(model.proto) or runtimes.openvino_limit(after) or ("" if model.case is None else model.case.cannot.get("openvino", ""))


def needs_64_bits(model: EdgeModel, wanted: list[dict[str, Any]]) -> bool:
    arrays = [value for values in (*model.feeds, *wanted) for value in values.values() if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.dtype.itemsize >= 4]
    return any(value.size and (value.max() > 2**31 - 1 or value.min() < -(2**31)) for value in arrays)


def judge_in_openvino(model: EdgeModel, wanted: list[dict[str, Any]], lowered: bytes) -> tuple[str, str]:
    """Where it computes otherwise with the original as well, that is its own; what it takes neither of is counted."""
    try:
        try:
            run = runtimes.in_openvino(lowered)
            results = [run(feeds) for feeds in model.feeds]
        except Exception as error:
            if in_openvino_as_it_is(model) is None:
                return NOT_TAKEN, str(error)
            raise
        for got, want in zip(results, wanted):
            assert_near(model, got, want, "OpenVINO", loosely=True)
    except AssertionError as error:
        original = in_openvino_as_it_is(model)
        if original is None:
            raise
        for got, want in zip(original, wanted):
            try:
                assert_near(model, got, want, "OpenVINO with the original", loosely=True)
            except AssertionError:
                return KNOWN, f"OpenVINO gives something else with the original, too: {error}"
        raise
    return RIGHT, ""


def in_openvino_as_it_is(model: EdgeModel) -> list[dict[str, Any]] | None:
    try:
        run = runtimes.in_openvino(model.proto.SerializeToString())
        return [run(feeds) for feeds in model.feeds]
    except Exception:  # it does not take the model
        return None


Say = Callable[[int, str], None]  # of a seed, which step comes next


def outcomes(seeds: Sequence[int], say: Say) -> Iterator[Outcome]:
    models, wanted = [], []
    for seed in seeds:
        say(seed, ORIGINAL)
        model = edge_model(seed)
        results = wanted_of(model)
        if results is None and model.case is not None:
            yield Outcome(seed, model.kind, NO_ORACLE)
            continue
        if results is not None and model.case is not None and model.definition is None:
            model.proto = declared(model, results[0], random.Random(seed))
        models.append(model)
        wanted.append(results)
    if models:
        say(models[0].seed, LOWERING)
    for model, want, result in zip(models, wanted, lowered_together(models)):
        stages: list[str] = []

        def go_on(stage: str, seed: int = model.seed, stages: list[str] = stages) -> None:
            stages.append(stage)
            say(seed, stage)

        go_on(LOWERED)
        try:
            verdict, detail = judge(model, want, result, go_on)
        except Exception as error:  # the others are tried all the same
            verdict, detail = WRONG, f"{type(error).__name__}: {error}"
            if reason := known_difference(model, stages[-1], detail):
                verdict, detail = KNOWN, reason
        yield Outcome(model.seed, model.kind, verdict, detail, stages[-1])


def work() -> None:
    """What the process of its own does: JSON lines. A step that takes too long ends it."""
    # Runtimes print to the standard output, too, at times: what they say goes to the standard error.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def say(seed: int, stage: str) -> None:
        signal.alarm(SECONDS)
        print(json.dumps({"at": [seed, stage]}), file=answers)

    seeds = json.loads(sys.stdin.readline())
    for first in range(0, len(seeds), TOGETHER):
        for outcome in outcomes(seeds[first : first + TOGETHER], say):
            print(json.dumps({"outcome": dataclasses.asdict(outcome)}), file=answers)


def worker(task: str, argument: object) -> subprocess.CompletedProcess[str]:
    folder = pathlib.Path(__file__).resolve().parent.parent
    return subprocess.run([sys.executable, "-m", "edge_models", task], input=json.dumps(argument), capture_output=True, text=True, cwd=folder, env=dict(os.environ, ONNX_LOWER=str(tool.TOOL), PYTHONWARNINGS="ignore"), check=False)


def tried(seeds: Sequence[int]) -> list[Outcome]:
    """All of them, by as many processes as have to be started because one ended early."""
    found: dict[int, Outcome] = {}
    while left := [seed for seed in seeds if seed not in found]:
        at = (left[0], "the start")
        process = worker("--work", left)
        for line in process.stdout.splitlines():
            said = json.loads(line)
            if "at" in said:
                at = tuple(said["at"])
            else:
                found[said["outcome"]["seed"]] = Outcome(**said["outcome"])
        if process.returncode >= 0:
            if any(seed not in found for seed in seeds):
                raise RuntimeError(f"at {at}: {process.stderr[-3000:]}")
        else:
            seed, stage = at
            if seed != left[0]:
                # What was asked before may have been its undoing: alone it dies again, or it does not.
                [found[seed]] = tried([seed])
                continue
            how = f"{stage} was ended by {signal.Signals(-process.returncode).name}"
            found[seed] = Outcome(seed, edge_model(seed).kind, NO_ORACLE if stage == ORIGINAL else WRONG, how, stage)
            if stage == OPENVINO and worker("--openvino", seed).returncode < 0:
                found[seed].verdict, found[seed].detail = NOT_TAKEN, f"{how}, and it was with the original, too"
            elif stage != ORIGINAL and (reason := known_difference(edge_model(seed), stage, how)):
                found[seed].verdict, found[seed].detail = KNOWN, reason
    return [found[seed] for seed in seeds]


def described(seed: int, longest: int = 4000) -> str:
    """The model as text, its inputs, and how to try it again."""
    model = edge_model(seed)
    lines = [f"seed {seed}, {model.kind}: onnx-lower {' '.join(arguments(model.options))}", onnx.printer.to_text(model.proto)[:longest]]
    for feeds in model.feeds:
        lines += [f"{name} = {value.dtype} {value.shape} {np.array2string(value, threshold=60)}" for name, value in feeds.items() if isinstance(value, np.ndarray)]
    lines.append(f"again: cd tests/python && python -m edge_models {seed}")
    return "\n".join(lines)

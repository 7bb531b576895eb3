#!/usr/bin/env python3

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes docs/gallery.md from testdata/gallery/*.toml: for each wall the runtime's message, word for word, and the line that gets past it.

Nothing is written that was not seen: each model is given to the runtime that refuses it, lowered by the command of the page, run by ONNX Runtime and OpenVINO, and its numbers
are compared with what `means` says. Only messages of runtimes that cannot be had here stand in the files themselves. It needs the Python of build/venv, and build/venv-oldest-runtime.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from typing import Any

import numpy as np
import onnx

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "python"))

import model_checks
import runtimes
import tool
from definition import definition_of

PAGE = REPOSITORY / "docs" / "gallery.md"
WALLS = REPOSITORY / "testdata" / "gallery"
OLDEST = pathlib.Path(os.environ.get("ONNX_LOWER_OLDEST_RUNTIME", REPOSITORY / "build" / "venv-oldest-runtime" / "bin" / "python")).absolute()

INTRODUCTION = """\
# The message, and the line that gets past it

Search this page for the words of your message. Every model of it is refused as shown, lowered as shown, and then executed by ONNX Runtime and OpenVINO with the right numbers: this page is written by
[`scripts/make_gallery.py`](../scripts/make_gallery.py), which tries it all, and a test compares the two. (Only the messages of RKNN-Toolkit2 and TensorRT are quoted, as their users report them.) How custom operators get into a file
in the first place is told in [From Python to a model that runs](exporting.md).
"""

# What a user of each runtime types, and what is printed; the rest of a traceback is about Python.
ASK_ONNXRUNTIME = """
import onnxruntime, sys, traceback
onnxruntime.set_default_logger_severity(4)
print(onnxruntime.__version__, flush=True)
try:
    onnxruntime.InferenceSession("{model}", providers=["CPUExecutionProvider"])
except Exception as refusal:
    print("".join(traceback.format_exception_only(refusal)), end="")
"""
ASK_OPENVINO = """
import openvino, traceback
print(openvino.__version__.partition("-")[0], flush=True)  # what forks there would print it once more
try:
    openvino.Core().compile_model("{model}", "CPU")
except Exception as refusal:
    print("".join(traceback.format_exception_only(refusal)), end="")
"""
ASK_ONNX = """
import onnx, traceback
print(onnx.__version__, flush=True)
try:
    onnx.checker.check_model("{model}", full_check=True)
except Exception as refusal:
    print("".join(traceback.format_exception_only(refusal)), end="")
"""
ASKED = {
    "ONNX Runtime": (pathlib.Path(sys.executable), ASK_ONNXRUNTIME),
    "ONNX Runtime, oldest": (OLDEST, ASK_ONNXRUNTIME),
    "OpenVINO": (pathlib.Path(sys.executable), ASK_OPENVINO),
    "onnx.checker": (pathlib.Path(sys.executable), ASK_ONNX),
}


@dataclasses.dataclass
class Wall:
    """A file of testdata/gallery; its README tells what the fields mean."""

    title: str
    phrase: str
    runtime: str
    model: str
    means: str
    text: str
    arguments: list[str] = dataclasses.field(default_factory=list)
    files: dict[str, str] = dataclasses.field(default_factory=dict)
    tolerance: float = 0.0
    message: str = ""
    highest_opset: int = 0

    @property
    def anchor(self) -> str:
        return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", self.title.lower()))


def walls() -> dict[str, Wall]:
    return {path.stem: Wall(**tomllib.loads(path.read_text())) for path in sorted(WALLS.glob("*.toml"))}


def ask(runtime: str, model: str, folder: pathlib.Path) -> tuple[str, str]:
    """The runtime's version, and what it says against the model; nothing where it takes it."""
    python, script = ASKED[runtime]
    if not python.exists():
        raise FileNotFoundError(f"there is no {python}: scripts/make_venv makes it")
    done = subprocess.run([python, "-c", script.format(model=model)], cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    version, _, message = done.stdout.partition("\n")
    return version, message


def run_tool(arguments: list[str], folder: pathlib.Path) -> tuple[int, str]:
    done = subprocess.run([tool.TOOL, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    # What changes from run to run, and with every line that is added to a rule's file.
    printed = re.sub(r"\b\d+\.\d ms$", "1.0 ms", done.stderr, flags=re.MULTILINE)
    return done.returncode, re.sub(r"(\.onnxtxt):\d+(, \d+)*\)", r"\1)", printed)


def inputs_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    arrays = {}
    for value in model.graph.input:
        shape = [dimension.dim_value for dimension in value.type.tensor_type.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        arrays[value.name] = (random.random(shape) if dtype.kind == "f" else random.integers(0, 255, shape)).astype(dtype)
    return arrays


def prove(wall: Wall, folder: pathlib.Path) -> None:
    """That the lowered model is standard, is taken by the runtime that refused the other one, and computes what `means` says."""
    before, lowered = onnx.load(folder / "model.onnx"), onnx.load(folder / "portable.onnx")
    model_checks.assert_standard(lowered)
    model_checks.assert_same_interface(before, lowered)
    onnx.checker.check_model(lowered, full_check=True)
    if wall.highest_opset:
        assert all(entry.version <= wall.highest_opset for entry in lowered.opset_import if entry.domain == "")
    if wall.runtime in ASKED:
        version, refusal = ask(wall.runtime, "portable.onnx", folder)
        assert not refusal, f"{wall.runtime} {version} refuses the lowered model: {refusal}"
    inputs = inputs_of(before)
    names = {"np": np, "define": lambda domain, op_type: definition_of(domain, op_type).define, **inputs}
    means: Any = eval(wall.means, names)
    expected = [np.asarray(value) for value in (means if isinstance(means, (tuple, list)) else (means,))]
    assert not runtimes.openvino_limit(lowered)
    for runtime in (runtimes.in_onnxruntime, runtimes.in_openvino):
        computed = runtime(str(folder / "portable.onnx"))(inputs)
        assert len(computed) == len(expected)
        for name, value in zip(computed, expected):
            np.testing.assert_allclose(computed[name], value, rtol=wall.tolerance, atol=wall.tolerance, err_msg=f"{runtime.__name__}, {name}")


def operators(model: onnx.ModelProto) -> str:
    names = sorted({node.op_type for node in model_checks.all_nodes(model)} - {"Constant"})
    return ", ".join(f"`{name}`" for name in names)


def fence(language: str, text: str) -> str:
    return f"```{language}\n{text.strip(chr(10))}\n```\n"


def section(wall: Wall) -> str:
    """What the page says of a wall, after it was tried."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        onnx.save(onnx.parser.parse_model(wall.model), folder / "model.onnx")
        for file, text in wall.files.items():
            (folder / file).write_text(text.lstrip())
        version, message = "", wall.message
        if wall.runtime == "onnx-lower":
            status, message = run_tool(["model.onnx", "-o", "portable.onnx"], folder)
            assert status == tool.NOT_LOWERED, message
        elif wall.runtime in ASKED:
            version, message = ask(wall.runtime, "model.onnx", folder)
        assert wall.phrase in message, f"{wall.runtime} {version} does not say {wall.phrase!r} but {message!r}"
        command = ["model.onnx", "-o", "portable.onnx", *wall.arguments]
        status, printed = run_tool(command, folder)
        assert status == tool.DONE, printed
        prove(wall, folder)
        lowered = onnx.load(folder / "portable.onnx")
        body = re.search(r"\{(.*)\}", wall.model.split("<domain:")[0], re.DOTALL)[1]
        node = "\n".join(line.strip() for line in body.strip().splitlines())
        parts = [
            f"## {wall.title}\n",
            fence("onnxtxt", node),
            f"{wall.runtime.partition(',')[0]} {version}".strip() + " says:\n",
            fence("text", message),
            wall.text.strip() + "\n",
            *(fence("onnxtxt", f"# {file}\n{text.strip()}") for file, text in wall.files.items()),
            fence("console", f"$ onnx-lower {shlex.join(command)}\n{printed}"),
            f"`portable.onnx` is made of {operators(lowered)}.\n",
        ]
        return "\n".join(parts)


def page() -> str:
    found = walls()
    table = ["| the message holds | |", "| --- | --- |"]
    table += [f"| `{wall.phrase}` | [{wall.title}](#{wall.anchor}) |" for wall in found.values()]
    return "\n".join([INTRODUCTION, "\n".join(table) + "\n", *map(section, found.values())])


if __name__ == "__main__":
    PAGE.write_text(page())

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""A run that is killed, or finds the disk full, leaves the old files or the new ones, each model with the data that it refers to, and nothing else."""
from __future__ import annotations

import json
import os
import pathlib
import platform
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import external_tensors as external
import numpy as np
import onnx
import pytest
import run_and_kill
import tool
from onnx import helper, numpy_helper

pytestmark = pytest.mark.on_disk

MEGABYTE = 1 << 20


def model(generation: int, size: int) -> onnx.ModelProto:
    """Two weights of so many bytes each, all of them equal to the generation, and a node to lower."""
    tensors = [numpy_helper.from_array(np.full(size, generation, np.uint8), name) for name in ("v", "w")]
    nodes = [helper.make_node("cstThreshold", ["x"], ["y"], domain="rknn_cst", threshold=0.5, value=20.0)]
    return external.model_of(tensors, nodes, imports=[helper.make_opsetid("rknn_cst", 1)])


def generation_of(path: pathlib.Path) -> tuple[int, bool]:
    """Which generation's weights a model has, and whether it has been lowered. Fails if it is not whole."""
    loaded = onnx.load(path, load_external_data=False)
    seen = set()
    for tensor in loaded.graph.initializer:
        if tensor.name in "vw":
            held = np.frombuffer(external.elements(tensor, path.parent), np.uint8)
            assert len(held) == tensor.dims[0]
            seen.update(np.unique(held).tolist())
    (generation,) = seen
    return generation, not any(node.op_type == "cstThreshold" for node in loaded.graph.node)


def save(generation: int, size: int, path: pathlib.Path, location: str | None) -> None:
    path.unlink(missing_ok=True)
    made = model(generation, size)
    if location is None:
        onnx.save(made, path)
    else:
        (path.parent / location).unlink(missing_ok=True)
        onnx.save(made, path, save_as_external_data=True, location=location, size_threshold=0)


def names(folder: pathlib.Path) -> set[str]:
    return set(os.listdir(folder))


# How the input is stored, the mode, and whether the output replaces the input, another pair of files, or nothing.
WAYS = {
    "single file over itself": (None, "keep", "in place"),
    "split over itself": (None, "split", "in place"),
    "split over the data that are read": ("in.onnx.data", "split", "in place"),
    "embedded over itself": ("w.bin", "embed", "in place"),
    "kept over another pair": ("w.bin", "keep", "pair"),
    "split over another pair": (None, "split", "pair"),
    "split as new files": (None, "split", "new"),
    "kept as new files": ("w.bin", "keep", "new"),
}


class Files:
    """The input and the output of a way, which can be made what they were at first again and again."""

    def __init__(self, way: str, folder: pathlib.Path, size: int) -> None:
        location, self.mode, self.target = WAYS[way]
        self.source = folder / "in" / "in.onnx"
        self.out = self.source if self.target == "in place" else folder / "out" / "out.onnx"
        self.folders = {self.source.parent, self.out.parent}
        for place in self.folders:
            place.mkdir()
        save(2, size, self.source, location)
        if self.target == "pair":
            save(1, size // 2, self.out, location or "out.onnx.data")
        self.before = self.content()
        self.command = [str(tool.TOOL), "-q", str(self.source), "-o", str(self.out), "--external-data", self.mode]

    def content(self) -> dict[pathlib.Path, bytes]:
        return {path: path.read_bytes() for folder in self.folders for path in folder.iterdir()}

    def start_over(self) -> None:
        for folder in self.folders:
            for path in folder.iterdir():
                path.unlink()
        for path, content in self.before.items():
            path.write_bytes(content)

    def assert_old_or_new(self, finished: set[pathlib.Path]) -> None:
        """`finished`: the files that are there after a run."""
        if self.target == "new" and not self.out.exists():
            assert generation_of(self.source) == (2, False)
        else:
            assert generation_of(self.out) in {(2, True), (1 if self.target == "pair" else 2, False)}
            assert self.target != "new" or generation_of(self.out) == (2, True)
        if self.target != "in place":
            assert {path: path.read_bytes() for path in self.before if path.parent == self.source.parent} == {
                path: content for path, content in self.before.items() if path.parent == self.source.parent
            }
        # Files have no names until the very end: there is what was, what will be, and what is just changing its name.
        others = {path.name for path in self.content()} - {path.name for path in (*self.before, *finished)}
        assert all(name.endswith(".onnx-lower-new") or (name.startswith(".") and name.endswith(".new")) for name in others), others
        assert len(others) <= 2


FDATASYNC = {"x86_64": 75, "aarch64": 83}


class Tracer:
    """run_and_kill.py as a process of its own: what it forks is small, and not this process with its runtimes, of which a fork copies the page tables."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([sys.executable, run_and_kill.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, command: list[str], stop: int | None = None) -> list[int]:
        """What a program was stopped at, entering or leaving system calls, before it ended, or was killed after so many of them: the calls' numbers."""
        self.process.stdin.write(json.dumps([command, stop]) + "\n")
        self.process.stdin.flush()
        status, calls = json.loads(self.process.stdout.readline())
        assert status == (tool.DONE if stop is None else -signal.SIGKILL)
        return calls


@pytest.fixture(scope="module")
def tracer() -> Iterator[Tracer]:
    made = Tracer()
    with made.process:
        yield made
        made.process.stdin.close()


@pytest.mark.parametrize("way", WAYS)
def test_killed_at_any_system_call(tracer: Tracer, tmp_path: pathlib.Path, way: str) -> None:
    """A sanitizer makes many more of its own, at the beginning."""
    files = Files(way, tmp_path, 5000)
    count = len(tracer.run(files.command))
    assert generation_of(files.out) == (2, True)
    finished = set(files.content())
    left_over = set()
    for stop in range(max(0, count - 400), count):
        files.start_over()
        tracer.run(files.command, stop)
        files.assert_old_or_new(finished)
        left_over.update(path.name for path in set(files.content()) - set(files.before) - finished)
    # The way round old data that the old model needs was taken, and where there are none it was not.
    assert any(name.endswith(".onnx-lower-new") for name in left_over) == (way in ("split over the data that are read", "split over another pair", "kept over another pair"))


@pytest.mark.parametrize("way", WAYS)
def test_synced_where_something_is_replaced(tracer: Tracer, tmp_path: pathlib.Path, way: str) -> None:
    files = Files(way, tmp_path, 5000)
    assert (FDATASYNC[platform.machine()] in tracer.run(files.command)) == (files.target != "new")


@pytest.mark.parametrize("way", ["split over the data that are read", "kept over another pair", "split as new files"])
def test_killed_at_any_time(tmp_path: pathlib.Path, way: str) -> None:
    """Files large enough that most of the time goes into copying them; and each run starts from what the one before has left."""
    files = Files(way, tmp_path, 8 * MEGABYTE + 1000)
    began = time.monotonic()
    subprocess.run(files.command, check=True)
    duration = time.monotonic() - began
    finished = set(files.content())
    files.start_over()
    generator = random.Random(way)
    for _ in range(15):
        process = subprocess.Popen(files.command)
        time.sleep(generator.uniform(0, 1.2 * duration))
        process.kill()
        if process.wait() == tool.DONE:
            assert generation_of(files.out) == (2, True)
            files.start_over()
        else:
            files.assert_old_or_new(finished)
    subprocess.run(files.command, check=True)
    assert generation_of(files.out) == (2, True)


@pytest.mark.parametrize("way", WAYS)
def test_disk_full(tmp_path: pathlib.Path, way: str) -> None:
    """As far as a process can have a full disk to itself: its files may not grow beyond a size."""
    size = 3 * MEGABYTE + 1000
    files = Files(way, tmp_path, size)
    for limit in (1, 100, MEGABYTE, size - 1):
        result = tool.run(files.command[1:], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        tool.assert_clean_refusal(result, tool.FILE_ERROR)
        assert files.content() == files.before


def test_a_leftover_of_a_killed_run_is_no_hindrance(tmp_path: pathlib.Path) -> None:
    """As a run leaves it that was killed between the names: the model there needs the very name that is used on the way."""
    path = tmp_path / "in.onnx"
    interim = "in.onnx.data.onnx-lower-new"
    save(2, 4096, path, interim)
    (tmp_path / "in.onnx.data").write_bytes(b"old")
    for _ in range(2):
        assert tool.run([path, "-o", path, "--external-data", "split"]).status == tool.DONE
        assert generation_of(path) == (2, True)
        (tensor, _) = onnx.load(path, load_external_data=False).graph.initializer[:2]
        assert external.entries(tensor)["location"] == "in.onnx.data"

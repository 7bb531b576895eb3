# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""No run writes over a file that it reads, or has written: every kind of file against every other, by every kind of name."""
from __future__ import annotations

import dataclasses
import itertools
import json
import os
import pathlib
import subprocess
import time
from collections.abc import Callable, Sequence

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import tool

pytestmark = pytest.mark.on_disk

ELEMENTS = 1024


def model(value: float, location: str | None = None) -> onnx.ModelProto:
    weights = numpy_helper.from_array(np.full(ELEMENTS, value, np.float32), "w")
    if location is not None:
        weights.ClearField("raw_data")
        weights.data_location = TensorProto.EXTERNAL
        weights.external_data.add(key="location", value=location)
    infos = [helper.make_tensor_value_info(key, TensorProto.FLOAT, [ELEMENTS]) for key in ("x", "y")]
    graph = helper.make_graph([helper.make_node("my_add", ["x", "w"], ["y"], domain="custom")], "g", infos[:1], infos[1:], [weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15), helper.make_opsetid("custom", 1)], ir_version=8)


def save(path: pathlib.Path, value: float, location: str | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model(value, location).SerializeToString())
    if location is not None and not (path.parent / location).exists():
        (path.parent / location).parent.mkdir(parents=True, exist_ok=True)
        (path.parent / location).write_bytes(np.full(ELEMENTS, value, np.float32).tobytes())


def value_of(path: pathlib.Path) -> float:
    """That of all weights of a model that must load, with the data that it names."""
    (weights,) = onnx.load(path).graph.initializer
    values = set(numpy_helper.to_array(weights).tolist())
    assert len(values) == 1
    return values.pop()


def tree(folder: pathlib.Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


@dataclasses.dataclass
class Call:
    """What a run is given, to which each use of a file adds."""

    folder: pathlib.Path
    lines: list[dict] = dataclasses.field(default_factory=list)
    arguments: list[object] = dataclasses.field(default_factory=list)
    manifest: str = "zoo.jsonl"

    def write(self) -> list[object]:
        """The arguments, for a run in the folder."""
        (self.folder / self.manifest).write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return ["--manifest", self.manifest, *self.arguments]


# Each use makes `path` (relative to the call's folder) a file of its kind, and says who must be named in a message.


def as_model(call: Call, path: str) -> str:
    save(call.folder / path, 1)
    call.lines.append({"input": path, "output": "elsewhere/of_model.onnx"})
    return path


def as_data(call: Call, path: str) -> str:
    given = pathlib.PurePath(path)
    name = str(given.with_name("reader.onnx"))
    save(call.folder / name, 2, given.name)
    call.lines.append({"input": name, "output": "elsewhere/of_data.onnx", "external_data": "embed"})
    return name


def as_rules(call: Call, path: str) -> str:
    function = helper.make_function("nobody", "F", ["x"], ["y"], [helper.make_node("Neg", ["x"], ["y"])], [helper.make_opsetid("", 15)])
    proto = model(0)
    proto.functions.append(function)
    (call.folder / path).write_bytes(proto.SerializeToString())
    call.arguments += ["--rules", path]
    return "rules"


def as_target(call: Call, path: str) -> str:
    (call.folder / path).write_text(subprocess.run([tool.TOOL, "--show-target", "onnxruntime"], capture_output=True, text=True, check=True).stdout)
    call.arguments += ["--target", path]
    return "target"


def as_manifest(call: Call, path: str) -> str:
    call.manifest = path
    return "manifest"


def as_output(call: Call, path: str) -> str:
    name = f"sources/output{len(call.lines)}.onnx"
    save(call.folder / name, 3)
    call.lines.append({"input": name, "output": path})
    return name


def as_copied_data(call: Call, path: str) -> str:
    given = pathlib.PurePath(path)
    folder = f"sources/copied{len(call.lines)}"
    save(call.folder / folder / "m.onnx", 4 + len(call.lines), given.name)
    call.lines.append({"input": f"{folder}/m.onnx", "output": str(given.with_name(f"copied{len(call.lines)}.onnx"))})
    return f"{folder}/m.onnx"


def as_split_data(call: Call, path: str) -> str:
    assert path.endswith(".data")
    name = f"sources/split{len(call.lines)}.onnx"
    save(call.folder / name, 20 + len(call.lines))
    call.lines.append({"input": name, "output": path.removesuffix(".data"), "external_data": "split"})
    return name


def as_report(call: Call, path: str) -> str:
    call.arguments += ["--report", path]
    return "--report"


READ = [as_model, as_data, as_rules, as_target, as_manifest]
WRITTEN = [as_output, as_copied_data, as_split_data, as_report]
ONCE = {as_rules, as_target, as_manifest, as_report}
PAIRS = [pair for pair in itertools.product(READ + WRITTEN, WRITTEN) if not (pair[0] is pair[1] and pair[0] in ONCE)]
# Two outputs' data, split off, have one name only where the outputs have.
PAIRS.remove((as_split_data, as_split_data))
WAYS = ["same", "dots", "folder", "link", "hard"]
Use = Callable[[Call, str], str]


def named(use: Use) -> str:
    return use.__name__.removeprefix("as_") if callable(use) else str(use)


def call_that_clashes(folder: pathlib.Path, first: Use, second: Use, way: str) -> tuple[Call, list[str]]:
    """A call with two uses of one file, and who must be named."""
    for name in ("x", "sources", "elsewhere"):
        (folder / name).mkdir(parents=True)
    call = Call(folder)
    wants_data = as_split_data in (first, second)
    name = "n.onnx.data" if wants_data and as_rules not in (first, second) else "n.onnx"
    path = f"x/{name}"
    other = path
    if way == "dots":
        other = f"x/../x/./{name}"
    elif way == "folder":
        (folder / "alias").symlink_to("x")
        other = f"alias/{name}"
    elif way in ("link", "hard"):
        other = "x/other.onnx.data"
    owners = [first(call, path)]
    target = folder / path
    if way == "hard":
        if not target.exists():
            target.write_bytes(b"of an earlier run")
        os.link(target, folder / other)
    elif way == "link":
        (folder / other).symlink_to(name)
    owners.append(second(call, other))
    return call, owners


def ways_of(first: Use, second: Use) -> Sequence[str]:
    return ["link", "hard"] if {first, second} == {as_rules, as_split_data} else WAYS


CASES = [(first, second, way) for first, second in PAIRS for way in ways_of(first, second)]


def add_others(call: Call, count: int) -> None:
    save(call.folder / "sources" / "other.onnx", 7)
    others = [{"input": "sources/other.onnx", "output": f"others/{number}.onnx"} for number in range(count)]
    call.lines = others[: count // 2] + call.lines + others[count // 2 :]


def assert_refused(call: Call, owners: Sequence[str], *arguments: object) -> None:
    given = call.write()
    before = tree(call.folder)
    result = tool.run([*given, *arguments], cwd=call.folder)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    first_line, *_, last_line = result.stderr.splitlines()
    for owner in owners:
        assert owner in first_line, result.stderr
    assert "give" in last_line and "--help" not in last_line, result.stderr
    assert tree(call.folder) == before


@pytest.mark.parametrize("first, second, way", CASES, ids=named)
def test_two_uses_of_one_file(tmp_path: pathlib.Path, first: Use, second: Use, way: str) -> None:
    call, owners = call_that_clashes(tmp_path / "run", first, second, way)
    for order in (1, -1):
        call.lines = call.lines[::order]
        assert_refused(call, owners, "-j", 1)
    if way != ways_of(first, second)[0]:
        return
    add_others(call, 1000)
    assert_refused(call, owners, "-j", 8)
    assert_refused(call, owners, "-j", 1, "--force")


@pytest.mark.parametrize("second", [as_output, as_copied_data, as_split_data], ids=named)
@pytest.mark.parametrize("first", [as_data, as_output, as_copied_data], ids=named)
@pytest.mark.parametrize("arguments", [("-j", 1), ("-j", 8), ("-j", 8, "--force")], ids=str)
def test_a_use_that_comes_between_two_runs(tmp_path: pathlib.Path, first: Use, second: Use, arguments: Sequence[object]) -> None:
    """A run that is good and done, or killed half way; then the clash, which changes nothing of what is there; then the good one again."""
    call, owners = call_that_clashes(tmp_path / "run", first, second, "same")
    bad = call.lines.pop()
    add_others(call, 1000)
    good = call.write()
    process = subprocess.Popen([tool.TOOL, *map(str, good), "-q"], cwd=call.folder, stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not list((call.folder / "others").glob("*.onnx")) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    process.kill()
    process.wait()
    for _ in range(2):
        call.lines.append(bad)
        assert_refused(call, owners, *arguments)
        call.lines.pop()
        assert tool.run(call.write(), cwd=call.folder).status == tool.DONE
    assert len(list((call.folder / "others").glob("*.onnx"))) == 1000
    for line in call.lines[498:502]:
        value_of(call.folder / line["output"])


def test_the_models_of_other_shards_count(tmp_path: pathlib.Path) -> None:
    call, _owners = call_that_clashes(tmp_path / "run", as_data, as_output, "same")
    for index in range(1, 6):
        arguments = call.write()
        before = tree(call.folder)
        result = tool.run([*arguments, "--shard", f"{index}/5"], cwd=call.folder)
        written = set(tree(call.folder)) - set(before)
        assert result.status in (tool.DONE, tool.WRONG_USAGE), str(result)
        assert (call.folder / "x" / "n.onnx").read_bytes() == before["x/n.onnx"]
        assert result.status == tool.DONE or not written
    value_of(call.folder / "x" / "reader.onnx")


@pytest.mark.parametrize("name", ["lock", "o.onnx.json", "o.onnx.json.tmp"])
@pytest.mark.parametrize("use", [as_model, as_data, as_target, as_manifest, as_output, as_copied_data, as_report], ids=named)
@pytest.mark.parametrize("is_linked", [False, True])
def test_records_and_locks(tmp_path: pathlib.Path, name: str, use: Use, is_linked: bool) -> None:
    folder = tmp_path / "run"
    for made in ("out", "sources", "elsewhere", "records" if is_linked else "out/.onnx-lower"):
        (folder / made).mkdir(parents=True)
    if is_linked:
        (folder / "out" / ".onnx-lower").symlink_to("../records")
    call = Call(folder)
    owners = [as_output(call, "out/o.onnx")]
    owners.append(use(call, f"records/{name}" if is_linked else f"out/.onnx-lower/{name}"))
    assert_refused(call, owners)


def test_a_record_is_not_written_through_a_link(tmp_path: pathlib.Path) -> None:
    save(tmp_path / "m.onnx", 1)
    (tmp_path / "out" / ".onnx-lower").mkdir(parents=True)
    (tmp_path / "data.bin").write_bytes(b"the user's")
    for name in ("m.onnx.json", "m.onnx.json.tmp"):
        (tmp_path / "out" / ".onnx-lower" / name).symlink_to("../../data.bin")
    assert tool.run(["m.onnx", "--output-dir", "out"], cwd=tmp_path).status == tool.DONE
    assert (tmp_path / "data.bin").read_bytes() == b"the user's"


def test_a_file_in_the_place_of_a_folder(tmp_path: pathlib.Path) -> None:
    call = Call(tmp_path / "run")
    (call.folder / "sources").mkdir(parents=True)
    owners = [as_output(call, "out/a"), as_output(call, "out/a/b.onnx")]
    assert_refused(call, owners)
    assert_refused(call, owners, "-j", 8)


# One model.

ONE_MODEL = {
    "output over its data": ("in/m.onnx", "in/d.bin", []),
    "output over a copy of its data": ("in/m.onnx", "out/d.bin", []),
    "report over its data": ("in/m.onnx", "out/o.onnx", ["--report", "in/d.bin"]),
    "report over a copy of its data": ("in/m.onnx", "out/o.onnx", ["--report", "out/d.bin"]),
    "report over split data": ("in/m.onnx", "out/o.onnx", ["--external-data", "split", "--report", "out/o.onnx.data"]),
    "report over split data by a link": ("in/m.onnx", "out/o.onnx", ["--external-data", "split", "--report", "alias/o.onnx.data"]),
    "split data over the model": ("in/o.onnx.data", "in/o.onnx", ["--external-data", "split"]),
    "report over the model": ("in/m.onnx", "out/o.onnx", ["--report", "in/../in/m.onnx"]),
    "report over the output": ("in/m.onnx", "out/o.onnx", ["--report", "alias/o.onnx"]),
    "output over a target": ("in/m.onnx", "own.target", ["--target", "./own.target"]),
    "report over a target": ("in/m.onnx", "out/o.onnx", ["--target", "./own.target", "--report", "own.target"]),
    "output over a rule in a folder": ("in/m.onnx", "rules/f.onnxtxt", ["--rules", "rules"]),
    "report over a rule in a folder": ("in/m.onnx", "out/o.onnx", ["--rules", "rules", "--report", "rules/f.onnxtxt"]),
}


@pytest.mark.parametrize("case", ONE_MODEL)
def test_a_run_on_one_model(tmp_path: pathlib.Path, case: str) -> None:
    given, output, arguments = ONE_MODEL[case]
    save(tmp_path / given, 5, "d.bin")
    (tmp_path / "out").mkdir()
    (tmp_path / "alias").symlink_to("out")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "f.onnxtxt").write_text('<domain: "nobody", opset_import: ["" : 15]>\nF (x) => (y) { y = Neg (x) }\n')
    as_target(Call(tmp_path), "own.target")
    before = tree(tmp_path)
    result = tool.run([given, "-o", output, *arguments], cwd=tmp_path)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert "give" in result.stderr.splitlines()[-1]
    assert tree(tmp_path) == before


def test_a_report_is_not_the_data_of_a_model_that_is_not_valid(tmp_path: pathlib.Path) -> None:
    save(tmp_path / "m.onnx", 5, "d.bin")
    (tmp_path / "d.bin").write_bytes(b"too short")
    result = tool.run(["m.onnx", "-o", "o.onnx", "--report", "d.bin"], cwd=tmp_path)
    tool.assert_clean_refusal(result, tool.WRONG_USAGE)
    assert (tmp_path / "d.bin").read_bytes() == b"too short"


def test_what_stands_on_standard_input_is_a_file_as_well(tmp_path: pathlib.Path) -> None:
    save(tmp_path / "m.onnx", 5)
    content = (tmp_path / "m.onnx").read_bytes()
    with (tmp_path / "m.onnx").open("rb") as file:
        done = subprocess.run([tool.TOOL, "-", "-o", "o.onnx", "--report", "m.onnx"], stdin=file, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == tool.WRONG_USAGE and (tmp_path / "m.onnx").read_bytes() == content
    (tmp_path / "zoo.jsonl").write_text('{"input": "m.onnx", "output": "zoo.jsonl"}\n')
    with (tmp_path / "zoo.jsonl").open("rb") as file:
        done = subprocess.run([tool.TOOL, "--manifest", "-"], stdin=file, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == tool.WRONG_USAGE and b"manifest" in done.stderr


# What goes well, and has to go on.


def test_files_that_are_shared_and_not_written_over(tmp_path: pathlib.Path) -> None:
    """Data of one content under one name, whoever brings them, and outputs that are hard links of their inputs."""
    for name in ("a", "b"):
        save(tmp_path / name / f"{name}.onnx", 6, "d.bin")
    (tmp_path / "out").mkdir()
    for _ in range(2):
        assert tool.run(["a/a.onnx", "b/b.onnx", "--output-dir", "out", "-j", 8, "--force"], cwd=tmp_path).status == tool.DONE
    assert value_of(tmp_path / "out" / "a.onnx") == value_of(tmp_path / "out" / "b.onnx") == 6
    subprocess.run(["cp", "-al", "a", "copy"], cwd=tmp_path, check=True)
    assert tool.run(["a", "--output-dir", "copy"], cwd=tmp_path).status == tool.DONE
    assert (tmp_path / "copy" / "d.bin").read_bytes() == (tmp_path / "a" / "d.bin").read_bytes()
    (tmp_path / "copy" / "d.bin").unlink()  # onnx takes no data that are a hard link
    assert value_of(tmp_path / "a" / "a.onnx") == 6
    # The data of all are new: the output's are replaced, also for those that share them.
    for name in ("a", "b"):
        (tmp_path / name / "d.bin").write_bytes(np.full(ELEMENTS, 8, np.float32).tobytes())
    assert tool.run(["a/a.onnx", "b/b.onnx", "--output-dir", "out"], cwd=tmp_path).status == tool.DONE
    assert value_of(tmp_path / "out" / "a.onnx") == value_of(tmp_path / "out" / "b.onnx") == 8


def test_a_model_may_be_written_over_itself(tmp_path: pathlib.Path) -> None:
    for mode in ("keep", "split", "split", "embed"):
        save(tmp_path / f"{mode}.onnx", 6, f"{mode}.bin")
        (tmp_path / "link.onnx").unlink(missing_ok=True)
        (tmp_path / "link.onnx").symlink_to(f"{mode}.onnx")
        for output in (f"{mode}.onnx", "link.onnx"):
            assert tool.run([f"{mode}.onnx", "-o", output, "--external-data", mode], cwd=tmp_path).status == tool.DONE
            assert value_of(tmp_path / f"{mode}.onnx") == 6


# What cannot be known before anything runs.


def start_with_a_pipe(folder: pathlib.Path, lines: Sequence[dict]) -> subprocess.Popen:
    """A run that waits for its first model, which comes through a pipe."""
    os.mkfifo(folder / "pipe.onnx")
    text = "".join(json.dumps(line) + "\n" for line in [{"input": "pipe.onnx", "output": "piped/o.onnx"}, *lines])
    (folder / "zoo.jsonl").write_text(text)
    return subprocess.Popen([tool.TOOL, "--manifest", "zoo.jsonl", "-j", "1", "-q"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("appears", ["out/m.onnx", "out/d.bin"])
def test_a_file_that_appears_meanwhile_stays(tmp_path: pathlib.Path, appears: str) -> None:
    save(tmp_path / "in" / "m.onnx", 3, "d.bin")
    (tmp_path / "out").mkdir()
    process = start_with_a_pipe(tmp_path, [{"input": "in/m.onnx", "output": "out/m.onnx"}])
    with (tmp_path / "pipe.onnx").open("wb") as pipe:
        (tmp_path / appears).write_bytes(b"somebody's data")
        pipe.write(b"no model")
    output, messages = process.communicate(timeout=60)
    assert process.returncode == tool.SOME_FAILED, messages
    results = {line["input"]: line for line in map(json.loads, output.splitlines())}
    assert results["in/m.onnx"]["status"] == "failed"
    assert appears in results["in/m.onnx"]["error"]
    assert (tmp_path / appears).read_bytes() == b"somebody's data"
    assert {path.name for path in (tmp_path / "out").iterdir() if path.is_file()} == {pathlib.Path(appears).name}


def test_data_that_a_model_from_a_pipe_would_write(tmp_path: pathlib.Path) -> None:
    """Over the output of another model."""
    save(tmp_path / "in" / "m.onnx", 3)
    (tmp_path / "w.onnx").write_bytes(np.full(ELEMENTS, 1, np.float32).tobytes())
    process = start_with_a_pipe(tmp_path, [{"input": "in/m.onnx", "output": "piped/w.onnx"}])
    with (tmp_path / "pipe.onnx").open("wb") as pipe:
        pipe.write(model(1, "w.onnx").SerializeToString())
    output, messages = process.communicate(timeout=60)
    assert process.returncode == tool.SOME_FAILED, messages
    results = {line["input"]: line for line in map(json.loads, output.splitlines())}
    assert results["pipe.onnx"]["status"] == "failed" and "in/m.onnx" in results["pipe.onnx"]["error"]
    assert value_of(tmp_path / "piped" / "w.onnx") == 3

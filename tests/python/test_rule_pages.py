# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The pages about rules are true.

docs/rules.md is a tutorial. A block of it with a title is a file, which lies in the folder of the commands from then on. A block in `console` is a transcript: each command is run, and what it prints is compared, the
time that a run took excepted; `BLESS=1` records it. The models that the page lowers are run in ONNX Runtime, and compared with what this file says of their operators.

docs/rule_reference.md repeats limits, and docs/native_rules.md files of the repository.
"""
from __future__ import annotations

import inspect
import os
import pathlib
import re
import subprocess
from collections.abc import Iterator

import numpy as np
import onnx
import onnxruntime
import pytest

import test_limits
import tool
from test_exporting import without_time

DOCS = tool.REPOSITORY / "docs"
TUTORIAL, REFERENCE, NATIVE = (DOCS / f"{name}.md" for name in ("rules", "rule_reference", "native_rules"))
BLESS = os.environ.get("BLESS") == "1"
BLOCK = re.compile(r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<content>.*?)^```$', re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (?P<command>.*\n)(?P<printed>(?:(?!\$ |```).*\n)*)", re.MULTILINE)


def files(page: pathlib.Path) -> dict[str, str]:
    return {block["title"]: block["content"] for block in BLOCK.finditer(page.read_text()) if block["title"]}


def transcript() -> Iterator[re.Match[str]]:
    for block in BLOCK.finditer(TUTORIAL.read_text()):
        if block["language"] == "console":
            yield from COMMAND.finditer(block["content"])


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    for name, content in files(TUTORIAL).items():
        (tmp_path / name).write_text(content)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "onnx-lower").symlink_to(tool.TOOL)
    return tmp_path


def printed_by(command: str, folder: pathlib.Path) -> str:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, timeout=60, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout if not done.stdout or done.stdout.endswith("\n") else done.stdout + "\n"


def test_transcripts(folder: pathlib.Path) -> None:
    """In the order of the page, as what one command writes another one prints."""

    def told_again(block: re.Match[str]) -> str:
        if block["language"] != "console":
            return block[0]
        return COMMAND.sub(lambda shown: f"$ {shown['command']}{printed_by(shown['command'], folder)}", block[0])

    page = TUTORIAL.read_text()
    again = BLOCK.sub(told_again, page)
    if BLESS:
        TUTORIAL.write_text(without_time(again).replace("N ms", "1.0 ms"))
    assert BLESS or without_time(again) == without_time(page)


def test_files_are_told_and_used() -> None:
    """Each has its name in the text before it, and a command reads it."""
    text = TUTORIAL.read_text()
    commands = "".join(shown["command"] for shown in transcript())
    for name in files(TUTORIAL):
        assert f"`{name}`" in text[: text.index(f'title="{name}"')] and name in commands, name
    assert len([name for name in files(TUTORIAL) if f"--check-rules {name}\n" in commands]) == 3


# What the operators of the tutorial compute, said once more.


def swish(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-x))


def soft_clip(x: np.ndarray, limit: float, smooth: int = 0) -> np.ndarray:
    return limit * np.tanh(x / limit) if smooth else np.clip(x, -limit, limit)


def root_norm(x: np.ndarray, weight: np.ndarray | float = 1.0, axis: int = -1, epsilon: float = 1e-5) -> np.ndarray:
    axes = tuple(range(axis % x.ndim, x.ndim))
    return x / np.sqrt(np.mean(x * x, axes, keepdims=True) + epsilon) * weight


MEANINGS = {"Swish": swish, "SoftClip": soft_clip, "RootNorm": root_norm}


def drawn_input(value: onnx.ValueInfoProto, random: np.random.Generator) -> np.ndarray:
    if value.name == "limit":
        return np.array(1.5, np.float32)
    shape = [dim.dim_value or 2 for dim in value.type.tensor_type.shape.dim]
    return (random.standard_normal(shape) * 3).astype(onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))


@pytest.mark.parametrize("opset", [None, 13, 21, 23])
@pytest.mark.parametrize("name", ["swish", "soft_clip", "root_norm"])
def test_numbers(name: str, opset: int | None, folder: pathlib.Path) -> None:
    written = folder / "lowered.onnx"
    done = tool.run([folder / f"{name}_model.onnxtxt", "-o", written, "--rules", folder / f"{name}.onnxtxt", *(["--target-opset", opset] if opset else [])])
    assert done.status == tool.DONE, str(done)
    model = onnx.parser.parse_model((folder / f"{name}_model.onnxtxt").read_text())
    inputs = {value.name: drawn_input(value, np.random.default_rng(opset)) for value in model.graph.input}
    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    given = dict(zip((output.name for output in session.get_outputs()), session.run(None, inputs)))
    for node in model.graph.node:
        attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
        expected = MEANINGS[node.op_type](*(inputs[value].astype(np.float64) for value in node.input), **attributes)
        result = given[node.output[0]]
        assert result.dtype == inputs[node.input[0]].dtype and result.shape == expected.shape
        # A few roundings of the type in which the operator computes.
        step = np.finfo(result.dtype).eps
        np.testing.assert_allclose(result.astype(np.float64), expected, rtol=8 * step, atol=4 * step)


def test_rules_of_the_reference(tmp_path: pathlib.Path) -> None:
    """All that it shows as whole rules is good, and each is taken for some node."""
    rules = [block["content"] for block in BLOCK.finditer(REFERENCE.read_text()) if block["language"] == "onnxtxt"]
    assert len(rules) >= 5
    for number, rule in enumerate(rules):
        (tmp_path / f"{number}.onnxtxt").write_text(rule)
        done = tool.run(["--check-rules", tmp_path / f"{number}.onnxtxt"])
        assert done.status == tool.DONE, f"{rule}\n{done}"


LIMIT = re.compile(r"^\| (?P<what>.+?) \| (?P<limit>.+?) \| \d \| `.+` \|$", re.MULTILINE)


def test_limits_of_the_reference() -> None:
    """They stand in docs/limits.md in the same words, where each is tried by test_limits.py; and none that is about rules is left out."""
    everywhere = {row["what"]: row[0] for row in LIMIT.finditer((DOCS / "limits.md").read_text())}
    here = {row["what"]: row[0] for row in LIMIT.finditer(REFERENCE.read_text())}
    assert len(everywhere) == len(test_limits.CASES)
    about_rules = re.compile(r"\b(rules?|form|condition|definitions?|such a list|such numbers|numbers in text)\b")
    assert here == {what: row for what, row in everywhere.items() if about_rules.search(what)}


def test_attributes_of_the_reference(tmp_path: pathlib.Path) -> None:
    """Each that its table says to be bound is bound: a Constant of it is written."""
    names = re.findall(r"^\| `([a-zK_0-9]+_of_x)` \|", REFERENCE.read_text(), re.MULTILINE)
    assert len(names) == 5
    expected = {"dtype_of_x": 7, "rank_of_x": 1, "dims_of_x": 3, "dim_0_of_x": 3, "value_of_x": [4, 5, 6]}
    for name in (name.replace("K", "0") for name in names):
        field = "value_ints" if name in ("value_of_x", "dims_of_x") else "value_int"
        (tmp_path / "f.onnxtxt").write_text(f'<domain: "d", opset_import: ["" : 18]>\nF <{name}> (x) => (y) {{ k = Constant <{field} = @{name}> ()  y = Add (x, k) }}\n')
        text = '<ir_version: 8, opset_import: ["" : 18, "d" : 1]>\ng () => (int64[3] y) <int64[3] x = {4, 5, 6}> { y = d.F (x) }\n'
        (tmp_path / "m.onnxtxt").write_text(text)
        done = tool.run([tmp_path / "m.onnxtxt", "-o", tmp_path / "out.onnx", "--rules", tmp_path / "f.onnxtxt"])
        assert done.status == tool.DONE, str(done)
        (y,) = onnxruntime.InferenceSession(tmp_path / "out.onnx", providers=["CPUExecutionProvider"]).run(None, {})
        np.testing.assert_array_equal(y, np.array([4, 5, 6]) + expected[name])


# Native rules


def test_example_is_in_the_repository() -> None:
    """So what the page shows is compiled, and its numbers are proved."""
    shown = files(NATIVE)
    assert {pathlib.Path(name).suffix for name in shown} == {".cpp", ".py", ".onnxtxt"}
    for name, content in shown.items():
        text = re.sub(r"\A(?://|#) SPDX.*\n(?://|#) SPDX.*\n\n", "", (tool.REPOSITORY / name).read_text())
        assert content == text, name


def declared(header: str, kind: str) -> str:
    text = re.sub(r"//.*", "", (tool.REPOSITORY / "src" / "rules" / header).read_text())
    start = re.search(rf"^(?:class|struct) {kind} {{$", text, re.MULTILINE)
    return text[start.end() : text.index("\n};", start.end())].split("\n private:")[0]


def test_names_of_native_rules() -> None:
    """What the page names is declared, and the questions, the fields of a rule and what a body makes are all on it."""
    page = NATIVE.read_text()
    for prefix, header, kind in (("site", "native_rule.h", "CallSite"), ("body", "body.h", "Body")):
        functions = set(re.findall(r"^  (?:\[\[\w+\]\] )?[\w:<>*&][\w:<>*& ]* \*?&?([a-z_]+)\(", declared(header, kind), re.MULTILINE)) - {"operator"}
        assert {"need_rank", "list_size"} <= functions or {"made", "constant", "function"} <= functions
        named = set(re.findall(rf"\b{prefix}\.([a-z_]+)\(", page))
        assert named <= functions, named - functions
        left_out = functions - named
        assert not left_out, f"{kind}: {left_out}"
    fields = set(re.findall(r"(\w+)(?: =[^;]*|\)\(const CallSite&\))?;", declared("native_rule.h", "NativeRule").split("std::vector<OperatorName> names")[0]))
    assert {"domain", "also", "turn", "lower"} <= fields
    assert set(re.findall(r"^\| `\.(\w+)` \|", page, re.MULTILINE)) == fields
    turns = inspect.cleandoc(re.search(r"enum class RuleTurn : uint8_t \{(.*?)\};", (tool.REPOSITORY / "src/rules/native_rule.h").read_text(), re.DOTALL)[1])
    assert {f"RuleTurn::{turn}" for turn in re.findall(r"^\s*(\w+),", turns, re.MULTILINE)} <= set(re.findall(r"RuleTurn::\w+", page))

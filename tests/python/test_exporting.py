# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""docs/exporting.md is true: its commands are run on the models that torch exported, and print and give what the page says.

A block of the page in `python` is part of a script that made the section's models (made_by.json tells which), or shows how a model is run and is executed. One in `onnxtxt` begins with the name of a model, and holds lines of that
model's text. One in `console` is a transcript: each command is run, and what it prints is compared, the time that a run took excepted; `BLESS=1` records it.
"""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

import kernels
import model_checks
import runtimes
import tool
from compare import assert_equal
from test_cases import ModelCase

PAGE = tool.REPOSITORY / "docs" / "exporting.md"
MODELS = tool.TESTDATA / "exporting"
EXPORTED = sorted(path.with_suffix(".onnx").name for path in MODELS.glob("*.npz"))
MADE_BY = json.loads((MODELS / "made_by.json").read_text())
RUNS_A_MODEL = "onnxruntime.InferenceSession("
BLESS = os.environ.get("BLESS") == "1"


@dataclasses.dataclass
class Section:
    title: str
    text: str

    def blocks(self, language: str) -> list[str]:
        return re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)

    def transcripts(self) -> list[tuple[str, str]]:
        """The commands, without their prompts, and what each prints."""
        found = []
        for block in self.blocks("console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, printed = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", part, re.DOTALL).groups()
                found.append((command, printed))
        return found

    def files(self) -> list[str]:
        """Those that torch or onnxscript made and the section's commands read."""
        return list(dict.fromkeys(word for command, _ in self.transcripts() for word in command.split() if word in MADE_BY))

    def models(self) -> list[str]:
        """Those of them that are exported models."""
        return [name for name in self.files() if name in EXPORTED]

    @property
    def anchor(self) -> str:
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")


def sections() -> list[Section]:
    parts = re.split(r"^## (.*)\n", PAGE.read_text(), flags=re.MULTILINE)
    return [Section("top of the page", parts[0]), *(Section(*pair) for pair in zip(parts[1::2], parts[2::2]))]


TOP, *WAYS = sections()
EVERY_SECTION = pytest.mark.parametrize("section", [TOP, *WAYS], ids=lambda section: section.title)
EVERY_WAY = pytest.mark.parametrize("section", WAYS, ids=lambda section: section.title)


@pytest.fixture
def workplace(tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the models, with the programs of the page on the path."""
    shutil.copytree(MODELS, tmp_path / "models")
    (tmp_path / "models" / "build").mkdir()
    (tmp_path / "models" / "build" / "libonnx_lower_kernels.so").symlink_to(kernels.LIBRARY)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "onnx-lower").symlink_to(tool.TOOL)
    (tmp_path / "bin" / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (tmp_path / "bin" / "python").chmod(0o755)
    return tmp_path / "models"


def run(command: str, workplace: pathlib.Path) -> tuple[int, str]:
    """The exit status and what is printed on either stream."""
    path = f"{workplace.parent / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=workplace, env={**os.environ, "PATH": path}, timeout=60, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.returncode, done.stdout


def without_time(printed: str) -> str:
    return re.sub(r"\b\d+\.\d ms$", "N ms", printed, flags=re.MULTILINE)


def bless(command: str, printed: str) -> None:
    page = PAGE.read_text()
    pattern = re.compile(rf"^\$ {re.escape(command)}(?:(?!\$ |```$).*\n)*", re.MULTILINE)
    assert len(pattern.findall(page)) == 1, f"the page shows this command more than once: {command}"
    PAGE.write_text(pattern.sub(lambda _: f"$ {command}{without_time(printed).replace('N ms', '1.0 ms')}", page))


def option_values(command: str, *names: str) -> list[str]:
    words = shlex.split(command)
    return [value for option, value in zip(words, words[1:]) if option in names]


def custom_nodes(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    return [node for node in model.graph.node if node.domain not in model_checks.STANDARD_DOMAINS]


def as_the_page_says(section: Section, workplace: pathlib.Path) -> runtimes.Runner:
    """The session that the section's Python makes in the workplace."""
    assert kernels.LIBRARY.exists(), f"there is no {kernels.LIBRARY}: build it with -DONNX_LOWER_KERNELS=ON, or name it in ONNX_LOWER_KERNELS"
    (block,) = [block for block in section.blocks("python") if RUNS_A_MODEL in block]
    names = {"onnxruntime": onnxruntime}
    with contextlib.chdir(workplace):
        exec(block, names)
    return lambda inputs: dict(zip((output.name for output in names["session"].get_outputs()), names["session"].run(None, dict(inputs))))


def check_written(section: Section, command: str, workplace: pathlib.Path) -> None:
    """What the command wrote gives what torch computed for the model that it read."""
    (model,) = [word for word in shlex.split(command) if word in EXPORTED]
    (written,) = option_values(command, "-o")
    before, after, path = onnx.load(workplace / model), onnx.load(workplace / written), str(workplace / written)
    model_checks.assert_same_interface(before, after)
    onnx.checker.check_model(after, full_check=True)
    runners = {}
    if "--keep" in command:
        assert custom_nodes(after) == custom_nodes(before)
        runners["ONNX Runtime with the kernels"] = as_the_page_says(section, workplace)
    elif "--attach" in command:
        assert custom_nodes(after) == custom_nodes(before)
        runners["ONNX Runtime with the functions"] = runtimes.in_onnxruntime(path)
    else:
        model_checks.assert_standard(after)
        runners["ONNX Runtime"] = runtimes.in_onnxruntime(path)
        if option_values(command, "--target") != ["onnxruntime"]:
            assert not runtimes.openvino_limit(after)
            runners["OpenVINO"] = runtimes.in_openvino(path)
    for runtime, runner in runners.items():
        for number, (inputs, expected) in enumerate(ModelCase(model, {}, workplace / model, [(workplace / model).with_suffix(".npz")], workplace / model).sets()):
            got = runner(inputs)
            for name, want in expected.items():
                assert_equal(f"{command.strip()}: {runtime}, set {number}, {name}", got[name], want, rtol=1e-5, atol=1e-5)


@EVERY_SECTION
def test_commands(section: Section, workplace: pathlib.Path) -> None:
    assert section.transcripts(), "a section without a command"
    for command, printed in section.transcripts():
        present = set(workplace.iterdir())
        status, really = run(command, workplace)
        if BLESS:
            bless(command, really)
        else:
            assert without_time(really) == without_time(printed), command
        made = {path.name for path in set(workplace.iterdir()) - present}
        if really.startswith("error: "):
            assert status == tool.NOT_LOWERED and not made, f"{command}: exit status {status}, wrote {made}"
        else:
            assert status == tool.DONE, f"{command}: exit status {status}\n{really}"
        if made:
            check_written(section, command, workplace)
        for name in made:
            (workplace / name).unlink()


@EVERY_WAY
def test_python_is_what_was_run(section: Section) -> None:
    scripts = {MADE_BY[name]["script"] for name in section.files()}
    assert section.blocks("python"), "a way without Python"
    for block in section.blocks("python"):
        if RUNS_A_MODEL in block:
            continue
        assert any(block in (MODELS / script).read_text() for script in scripts), f"none of {scripts} holds this:\n{block}"


@pytest.mark.parametrize("name", MADE_BY)
def test_models_are_what_the_scripts_made(name: str) -> None:
    """A script or a model that was edited by hand is found out: the script has to be run again."""
    made = MADE_BY[name]
    for file, digest in ((name, made["sha256"]), (made["script"], made["script_sha256"])):
        content = (MODELS / file).read_bytes()
        if content.startswith(b"# SPDX-"):
            content = content.partition(b"\n\n")[2]  # the licence is no part of the program
        assert hashlib.sha256(content).hexdigest() == digest, f"{file} is not what it was when {made['script']} was run by torch {made['torch']}"


@EVERY_WAY
def test_nodes_are_in_the_file(section: Section) -> None:
    shown: dict[str, list[str]] = {}
    for block in section.blocks("onnxtxt"):
        caption, *lines = block.splitlines()
        shown.setdefault(caption.removeprefix("# "), []).extend(line.strip() for line in lines)
    for name, lines in shown.items():
        text = [line.strip() for line in onnx.printer.to_text(onnx.load(MODELS / name)).splitlines()]
        for line in lines:
            assert line in text, f"{name} does not hold:\n{line}\nbut:\n" + "\n".join(text)
    for name in section.models():
        for node in custom_nodes(onnx.load(MODELS / name)):
            assert any(line.startswith((f'["{node.name}"]', f"[{node.name}]")) for line in shown.get(name, [])), f"{name}: {node.name} is not shown"


def custom_models() -> list[str]:
    return [name for name in EXPORTED if custom_nodes(onnx.load(MODELS / name))]


@pytest.mark.parametrize("name", custom_models())
def test_runtimes_refuse_what_was_exported(name: str) -> None:
    refusing = [runtimes.in_openvino]
    if name != "dynamo_registry.onnx":  # its function is all that ONNX Runtime needs
        refusing.append(runtimes.in_onnxruntime)
    for runtime in refusing:
        with pytest.raises(Exception):  # noqa: B017  # each runtime has its own
            runtime(str(MODELS / name))


def test_bare_pybind_function_is_exported_wrong() -> None:
    with np.load(MODELS / "pybind_function_bare.npz") as arrays:
        got = runtimes.in_onnxruntime(str(MODELS / "pybind_function_bare.onnx"))({})
        assert not np.array_equal(got["idx"], arrays["expected_0/idx"])


def test_every_model_is_used() -> None:
    assert {name for section in WAYS for name in section.models()} == set(EXPORTED)


def table_rows() -> list[list[str]]:
    rows = [line.strip("|").split(" | ") for line in TOP.text.splitlines() if line.startswith("| [")]
    return [[cell.strip() for cell in row] for row in rows]


def test_table_has_a_row_for_every_way() -> None:
    assert [re.search(r"\(#(.*?)\)", row[0])[1] for row in table_rows()] == [section.anchor for section in WAYS]


@pytest.mark.parametrize("row, section", list(zip(table_rows(), WAYS)), ids=lambda value: getattr(value, "title", None) or "row")
def test_row_says_what_its_section_says(row: list[str], section: Section) -> None:
    models = [onnx.load(MODELS / name) for name in section.models()]
    held = {f"{node.domain}::{node.op_type}" for model in models for node in custom_nodes(model)}
    assert set(re.findall(r"`([\w.\-]+::\w+)`", row[1])) == held
    used = {word for command, _ in section.transcripts() for word in shlex.split(command) if word.startswith("--")}
    named = set(re.findall(r"`(--[a-z-]+)", row[2]))
    assert named <= used, f"no command of the section has {named - used}"
    says_plain = "`onnx-lower in.onnx -o out.onnx`" in row[2]
    assert named or says_plain
    if says_plain:
        plain = [command for command, _ in section.transcripts() if re.fullmatch(r"onnx-lower \w+\.onnx -o out\.onnx\n", command)]
        assert plain, "the section has no such command"


def test_readme_leads_here() -> None:
    assert "(docs/exporting.md)" in (tool.REPOSITORY / "README.md").read_text()

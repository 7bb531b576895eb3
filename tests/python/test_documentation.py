# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The commands that the README and the pages of docs/ show are commands: each is given to a shell, in a folder with models of the names that it uses.

What docs/exporting.md, docs/gallery.md and docs/rules.md show is tried by tests of their own, and docs/python.md by those of the wheel.
"""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import onnx
import pytest

import tool

PAGES = sorted([tool.REPOSITORY / "README.md", *(path for path in (tool.REPOSITORY / "docs").glob("*.md") if path.stem not in ("exporting", "gallery"))])
# Those whose commands are tried elsewhere: on files that the page itself shows.
TRIED_ELSEWHERE = ("rules",)
MODEL = """
<ir_version: 8, opset_import: ["" : 17, "rknn_cst" : 1, "custom" : 1, "acme" : 1]>
network (float[4] x) => (float[4] y, float[4] z) { y = rknn_cst.cstThreshold <threshold = 0.5, value = 20.0> (x)  z = Neg (y) }
"""
DETECTOR = '<ir_version: 8, opset_import: ["" : 17]> detector (float[batch,3,height,width] image) => (float[batch,3,height,width] y) { y = Relu (image) }'
VAD = '''<ir_version: 8, opset_import: ["" : 17]> vad (float[batch,512] input, int64 sr) => (float[batch,512] y) <int64 wide = {16000}> {
    is_wide = Equal (sr, wide)  y = If (is_wide) <then_branch = a () => (float[batch,512] p) { p = Relu (input) }, else_branch = b () => (float[batch,512] q) { q = Neg (input) }> }'''
OTHER_RULES = "<domain: \"custom\", opset_import: [\"\" : 17]>\nscale <factor: float> (x) => (y) {\n  f = Constant <value_float = @factor> ()\n  y = Mul (x, f)\n}\n"


def commands(page: pathlib.Path) -> list[str]:
    """The lines of code that begin with the tool's name, without what is said of them behind a #; [ ] is around what may be left out."""
    found = re.findall(r"^(?:    |\$ )?(onnx-lower .*)$", page.read_text(), re.MULTILINE)
    return [re.sub(r" +#.*$", "", line).replace("[", "").replace("]", "") for line in found]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    for name in ("in", "exported", "A", "B", "zoo/a", "zoo/more/b"):
        path = tmp_path / f"{name}.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(onnx.parser.parse_model(MODEL), path)
    onnx.save(onnx.parser.parse_model(DETECTOR), tmp_path / "detector.onnx")
    onnx.save(onnx.parser.parse_model(VAD), tmp_path / "vad.onnx")
    (tmp_path / "zoo.jsonl").write_text(json.dumps({"input": "zoo/a.onnx", "output": "a.lowered.onnx"}) + "\n")
    for name, text in (("my_rules/scale", OTHER_RULES), ("rules/my_ops", re.search(r"```onnxtxt\n(.*?)```", (tool.REPOSITORY / "README.md").read_text(), re.DOTALL)[1])):
        (tmp_path / name).parent.mkdir()
        (tmp_path / f"{name}.onnxtxt").write_text(text)
    (tmp_path / "board.target").write_text("# A board.\nopset 7..19\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "onnx-lower").symlink_to(tool.TOOL)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem not in TRIED_ELSEWHERE], ids=lambda path: path.stem)
def test_commands(page: pathlib.Path, folder: pathlib.Path) -> None:
    for command in commands(page):
        # --verify finds ONNX Runtime in the environment that runs the tests.
        done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "VIRTUAL_ENV": sys.prefix}, capture_output=True, text=True, timeout=60)
        assert done.returncode == (6 if "--check " in command else 0), f"{command}\n{done.stderr}"  # these models have to be lowered
        for made in ("out.onnx", "portable.onnx"):
            (folder / made).unlink(missing_ok=True)
        shutil.rmtree(folder / "lowered", ignore_errors=True)


def test_commands_are_found() -> None:
    found = {page.stem: len(commands(page)) for page in PAGES}
    assert found["README"] >= 8 and found["attach"] == 2 and found["external_data"] + found["scale"] >= 2, found


def test_options_that_pages_name_exist() -> None:
    """Also in running text."""
    known = set(re.findall(r"--[a-z][a-z-]+", tool.run(["--help"]).stdout.decode()))
    # Those of other programs.
    others = {"--preset", "--build", "--install", "--prefix", "--only-binary", "--target", "--cores", "--config", "--shards", "--executor", "--junit", "--code-quality", "--github", "--no-hardlinks", "--seed", "--folders", "--survivors",
              "--runtime", "--python", "--opset", "--ml", "--ir", "--functions", "--title", "--work", "--first", "--count", "--quantized", "--backend-tests", "--at-most"}
    for page in PAGES:
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.read_text()))
        assert named <= known | others, f"{page.name} names {named - known - others}"


def test_changelog() -> None:
    """The newest version has 15 highlights, and then sections of entries of one line each, for users: what was measured stands in other pages."""
    text = (tool.REPOSITORY / "CHANGELOG.md").read_text()
    newest = re.split(r"^## ", text, flags=re.MULTILINE)[1]
    sections = dict(re.findall(r"^### (.*)\n\n((?:.+\n)+)", newest, re.MULTILINE))
    assert list(sections) == ["Highlights", "Operators", "Targets", "Command line", "Rules", "Python", "Packages"]
    highlights = sections.pop("Highlights").splitlines()
    assert [line.split(". ")[0] for line in highlights] == [str(number) for number in range(1, 16)]
    entries = [line for section in sections.values() for line in section.splitlines()]
    assert all(line.startswith("- ") for line in entries)
    assert all(len(line) <= 160 and line.endswith(".") for line in highlights + entries)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What a notebook shows of the Python module's results."""
from __future__ import annotations

import html.parser
import json
import os
import pathlib
import re
import subprocess

import onnx
import onnx.parser

import tool
from conftest import TOOLS, Environment

THRESHOLD = tool.TESTDATA / "cases" / "thr_attrs_dyn" / "model.onnx"
LOST = tool.TESTDATA / "cases" / "thr_noattr_dyn" / "model.onnx"

# Runs the cells in a kernel, as Jupyter does, and prints what each shows. The kernel is of the Python that runs this.
RUN = """
import json, sys
import nbclient, nbformat
cells = [nbformat.v4.new_code_cell(text) for text in json.load(sys.stdin)]
notebook = nbformat.v4.new_notebook(cells=cells)
nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
json.dump([[dict(output) for output in cell.outputs] for cell in notebook.cells], sys.stdout)
"""


class Shown(html.parser.HTMLParser):
    """The elements and the cells of HTML whose elements are all closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.title = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open and self.tags <= {"p", "table", "thead", "tbody", "tr", "th", "td"}, self.tags
        # Nothing that a browser would fetch or run.
        assert not re.search(r"\b(?:src|href|on\w+)=|url\(|<script", text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        assert all(name == "style" for name, _ in attributes)
        self.tags.add(tag)
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        if self.open[-1] == "p":
            self.title += text
        else:
            self.rows[-1][-1] += text


def test_a_notebook(installed: Environment, tmp_path: pathlib.Path) -> None:
    cells = [
        f"import onnx_lower\nresult = onnx_lower.lower(open({str(THRESHOLD)!r}, 'rb').read())\nresult",
        f"onnx_lower.where({str(THRESHOLD)!r})",
        f"onnx_lower.lower_many([{str(THRESHOLD)!r}, '<b>.onnx'], 'lowered', progress=True)",
        f"onnx_lower.check({str(LOST)!r})",
    ]
    environment = {**os.environ, "PYTHONPATH": str(installed.site_packages), "HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path / "ipython")}
    environment.pop("ONNX_LOWER", None)
    done = subprocess.run([TOOLS / "python", "-c", RUN], input=json.dumps(cells), capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    outputs = json.loads(done.stdout)
    lowered, where, many, checked = (Shown(cell[-1]["data"]["text/html"]) for cell in outputs)
    assert all("text/plain" in cell[-1]["data"] for cell in outputs)

    assert "1 → 4 nodes, 1 lowered" in lowered.title and lowered.title.startswith("<bytes of ")
    assert [row[:4] for row in lowered.rows[1:]] == [["rknn_cst::cstThreshold", "1", "lowered", "4"]]
    by_target = {row[0]: row[1:] for row in where.rows[1:]}
    assert by_target["onnxruntime-1.31"][:2] == ["after lowering", "4"] and by_target["coreml-1.24"][0] == "refused" and "has no" in by_target["coreml-1.24"][2]
    assert re.match(r"\d+ of \d+ targets take the model", where.title)
    # What failed comes first, and a name is no markup.
    assert [row[:2] for row in many.rows[1:]] == [["<b>.onnx", "failed"], [str(THRESHOLD), "lowered"]] and many.title == "2 models: 1 lowered, 1 failed"
    progress = "".join(output["text"] for output in outputs[2][:-1] if output["name"] == "stderr")
    assert progress.rpartition("\r")[2].startswith("2 models: 1 lowered, 1 failed; ") and progress.endswith("\n") and len(outputs[2]) == 2
    assert checked.rows[1][2] == "cannot be lowered" and "set=[" in checked.rows[1][5]


def test_tables_of_large_models_are_short(onnx_lower) -> None:
    nodes = "\n".join(f'y{number} = acme.Operator{number} (x)' for number in range(300))
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17, "acme" : 1]> g (float[2] x) => (float[2] y0) {{ {nodes} }}')
    shown = Shown(onnx_lower.check(model)._repr_html_())
    assert len(shown.rows) == 102 and shown.rows[-1][0] == "… and 200 more"
    verdicts = onnx_lower.where(model)
    assert len(repr(verdicts["onnxruntime-1.31"])) < 200

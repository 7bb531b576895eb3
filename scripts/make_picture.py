#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Draws docs/picture.svg, the README's picture: the graph of a small model before and after it is lowered.

Both graphs are those of models: of the one below, and of what build/onnx-lower makes of it.
"""
from __future__ import annotations

import pathlib
import sys
import tempfile
from xml.sax.saxutils import escape

import onnx

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "python"))

import tool

PICTURE = REPOSITORY / "docs" / "picture.svg"
MODEL = """
<ir_version: 8, opset_import: ["" : 17, "rknn_cst" : 1, "com.microsoft" : 1]>
network (float[1,3,8,8] image, float[4,3,3,3] weight) => (float[1,4,1,1] result) {
  features = Conv (image, weight)
  large = rknn_cst.cstThreshold <threshold = 0.1, value = 0.0> (features)
  gated = com.microsoft.QuickGelu (large)
  result = GlobalAveragePool (gated)
}
"""
COMMAND = "onnx-lower exported.onnx -o portable.onnx"

# Of a node, by where it comes from: its fill and its edge.
COLORS = {"kept": ("#eef1f5", "#8794a5"), "custom": ("#fde3e0", "#c8452f"), "made": ("#def3e4", "#2b8a4b")}
WIDTH, BOX, ROW, TOP = 880, 32, 56, 88


def layers(model: onnx.ModelProto) -> list[list[onnx.NodeProto]]:
    """The nodes but the constants, each one row below the lowest that it reads."""
    row_of: dict[str, int] = {}
    rows: list[list[onnx.NodeProto]] = []
    for node in model.graph.node:
        if node.op_type == "Constant":
            continue
        row = max((row_of[name] + 1 for name in node.input if name in row_of), default=0)
        rows += [[] for _ in range(row + 1 - len(rows))]
        rows[row].append(node)
        row_of.update(dict.fromkeys(node.output, row))
    return rows


def label(node: onnx.NodeProto) -> str:
    return f"{node.domain}::{node.op_type}" if node.domain else node.op_type


def drawn(model: onnx.ModelProto, before: onnx.ModelProto, center: float) -> list[str]:
    """The graph around a vertical line."""
    already = {node.SerializeToString() for node in before.graph.node}
    places: dict[str, tuple[float, float]] = {value.name: (center, TOP - 8) for value in model.graph.input[:1]}
    boxes, arrows = [], []

    def arrow(start: tuple[float, float], end: tuple[float, float], bend: float = 0.0) -> None:
        (x0, y0), (x1, y1) = start, end
        arrows.append(f'<path class="arrow" d="M{x0:g} {y0:g} C{x0 + bend:g} {y0 + (y1 - y0) / 2:g} {x1 + bend:g} {y1 - (y1 - y0) / 2:g} {x1:g} {y1:g}" marker-end="url(#head)"/>')

    y = float(TOP)
    for row in layers(model):
        widths = [len(label(node)) * 7.6 + 26 for node in row]
        x = center - (sum(widths) + 24 * (len(row) - 1)) / 2
        y += ROW - BOX
        for node, width in zip(row, widths):
            kind = "custom" if node.domain else "kept" if node.SerializeToString() in already else "made"
            fill, edge = COLORS[kind]
            boxes.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{BOX}" rx="7" fill="{fill}" stroke="{edge}"/>')
            boxes.append(f'<text x="{x + width / 2:g}" y="{y + 21:g}">{escape(label(node))}</text>')
            # An arrow that passes other rows goes around them.
            read = [places[name] for name in dict.fromkeys(node.input) if name in places]
            for number, (x0, y0) in enumerate(sorted(read)):
                passes = y - y0 > ROW
                arrow((x0, y0), (x + width / 2 + 12 * (number - (len(read) - 1) / 2), y - 2), bend=-96 if passes else 0)
            places.update(dict.fromkeys(node.output, (x + width / 2, y + BOX)))
            x += width + 24
        y += BOX
    output = model.graph.output[0].name
    arrow(places[output], (places[output][0], y + ROW - BOX - 6))
    ends = [f'<text x="{center:g}" y="{TOP - 14:g}" class="value">{escape(model.graph.input[0].name)}</text>',
            f'<text x="{center:g}" y="{y + ROW - BOX + 10:g}" class="value">{escape(output)}</text>']
    return [*arrows, *boxes, *ends]


def picture() -> str:
    before = onnx.parser.parse_model(MODEL)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        onnx.save(before, folder / "exported.onnx")
        done = tool.run(COMMAND.split()[1:], cwd=folder)
        assert done.status == tool.DONE, done
        after = onnx.load(folder / "portable.onnx")
    height = TOP + ROW * max(len(layers(before)), len(layers(after))) + 92
    left, right = WIDTH * 0.25, WIDTH * 0.76
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        f"<title>{COMMAND}: custom nodes become standard ones</title>",
        "<style>text { font-family: ui-sans-serif, system-ui, Helvetica, Arial, sans-serif; font-size: 14px; fill: #1c2733; text-anchor: middle }",
        ".head { font-size: 17px; font-weight: 600 } .value { font-size: 13px; fill: #56616e } .says { font-size: 13px } .command { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px }",
        ".arrow { fill: none; stroke: #56616e; stroke-width: 1.4 }</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#56616e"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" rx="12" fill="#ffffff"/>',
        f'<text x="{left:g}" y="40" class="head">exported.onnx</text>',
        f'<text x="{right:g}" y="40" class="head">portable.onnx</text>',
        f'<text x="{WIDTH / 2:g}" y="{height / 2 - 12:g}" class="command">onnx-lower</text>',
        f'<path class="arrow" style="stroke-width: 2" d="M{WIDTH / 2 - 46:g} {height / 2:g} H{WIDTH / 2 + 46:g}" marker-end="url(#head)"/>',
        *drawn(before, before, left),
        *drawn(after, before, right),
        f'<text x="{left:g}" y="{height - 42:g}" class="says" style="fill: {COLORS["custom"][1]}">“Fatal error: rknn_cst:cstThreshold(-1)</text>',
        f'<text x="{left:g}" y="{height - 22:g}" class="says" style="fill: {COLORS["custom"][1]}">is not a registered function/op”</text>',
        f'<text x="{right:g}" y="{height - 22:g}" class="says" style="fill: {COLORS["made"][1]}">ONNX Runtime and OpenVINO run it</text>',
        "</svg>",
        "",
    ])


if __name__ == "__main__":
    PICTURE.write_text(picture())

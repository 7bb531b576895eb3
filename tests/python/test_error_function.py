# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Erf for runtimes that have none, against math.erf over its whole range."""
from __future__ import annotations

import math
import pathlib

import numpy as np
import onnx
import pytest

import runtimes
import tool

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, 1e-30, 1.0, -1.0, np.nextafter(np.float32(1), np.float32(2)), 4.0, -4.0, 9.5, 3e38, -3e38]
POINTS = np.concatenate([SPECIAL, np.linspace(-6, 6, 200_001), np.logspace(-38, 1, 5_001), -np.logspace(-38, 1, 5_001)])
# How far from math.erf each may be: rounding of a few sums below 1 for float and double, of the result alone for what is narrower.
WITHIN = {"float": 1e-7, "float16": 2.0**-12 + 1e-7, "double": 1e-14}
ARRAY_TYPES = {"float": np.float32, "float16": np.float16, "double": np.float64}


def lowered(kind: str, *arguments: str, opset: int = 17) -> bytes:
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": {opset}]> g ({kind}[n] x) => ({kind}[n] y) {{ y = Erf (x) }}')
    return tool.lowered(model.SerializeToString(), arguments)


@pytest.mark.parametrize("opset", [9, 13, 17, 26])
@pytest.mark.parametrize("kind", WITHIN)
def test_error_function(kind: str, opset: int) -> None:
    out = lowered(kind, "--without", "Erf", opset=opset)
    assert "Erf" not in {node.op_type for node in onnx.load_from_string(out).graph.node}
    with np.errstate(over="ignore"):
        x = POINTS.astype(ARRAY_TYPES[kind])
    found = runtimes.in_onnxruntime(out)({"x": x})["y"]
    assert found.dtype == x.dtype
    expected = np.array([math.erf(value) for value in x.astype(np.float64)])
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=0, atol=WITHIN[kind])
    assert np.array_equal(np.signbit(found[:2]), [False, True]), "a zero keeps its sign"
    near = np.isfinite(expected) & (np.abs(expected) > 1e-30) & (np.abs(expected) < 0.5) & (np.abs(x) < 0.4)
    if kind == "float":
        np.testing.assert_allclose(found[near], expected[near], rtol=2e-7)


def test_nodes_around_it_take_its_place(tmp_path: pathlib.Path) -> None:
    """As exporters write it: in the middle of torch's Gelu, with a target that has no Erf."""
    target = tmp_path / "erfless.target"
    target.write_text("opset 7..26\nir 3..13\nErf never\n")
    text = """<ir_version: 8, opset_import: ["": 17]> g (float[n, 3] x) => (float[n, 3] y) <float r = {1.4142135}, float one = {1}, float half = {0.5}>
      { d = Div (x, r)  e = Erf (d)  p = Add (e, one)  m = Mul (x, p)  y = Mul (m, half) }"""
    content = onnx.parser.parse_model(text).SerializeToString()
    out = tool.lowered(content, ["--target", str(target)])
    x = np.linspace(-6, 6, 3000, dtype=np.float32).reshape(-1, 3)
    np.testing.assert_allclose(runtimes.in_onnxruntime(out)({"x": x})["y"], runtimes.in_onnxruntime(content, optimize=False)({"x": x})["y"], rtol=1e-6, atol=1e-6)

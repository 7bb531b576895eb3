# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""rknn_cst::cstDualResidual: (x * alpha - y, y * alpha - x); each product is rounded to the type of x before the subtraction, an integer product is a float.

Source: the Python function behind the operator, as torch computes it.
"""
import numpy as np

from definition import Case

def define(x, y, alpha=None, alpha_f=None):
    alpha = np.float32(alpha if alpha_f is None else alpha_f)
    if x.dtype.kind in "iu":
        x, y = x.astype(np.float32), y.astype(np.float32)
    alpha = alpha.astype(x.dtype)
    return x * alpha - y, y * alpha - x


def define_with_input(x, y, alpha):
    """A number that is an input is not rounded to float32 on its way."""
    return define(x, y, alpha) if x.dtype.kind in "iu" else (x * alpha.astype(x.dtype) - y, y * alpha.astype(x.dtype) - x)


def cases():
    x, y = np.array([[0.1, -2, 3], [np.nan, np.inf, 1e4]]), np.array([[1, 5, -0.3], [2, np.inf, -7]])
    half = {"rtol": 2e-3, "atol": 5e-3, "why": "The runtime may keep the product in single precision."}
    for name in ("alpha", "alpha_f"):
        for dtype in ("float32", "float64", "float16"):
            yield Case(f"{name}-{dtype}", inputs=[x.astype(dtype), y.astype(dtype)], attributes={name: 0.3}, also=[[x[:0].astype(dtype), y[:0].astype(dtype)]],
                       opsets=range(9, 27) if name == "alpha" else (9, 12, 15, 26), **(half if dtype == "float16" else {}))
        for dtype in ("int64", "int32"):
            yield Case(f"{name}-{dtype}", inputs=[np.array([1, 2, 3], dtype), np.array([4, 0, -6], dtype)], attributes={name: 0.5}, opsets=(9, 12, 15, 26))
    integers = [np.array([1, 2, -3]), np.array([4, 0, -6])]
    declared = dict(meaning={}, define=lambda x, y: (2 * x - y, 2 * y - x))
    yield Case("declared-int64", inputs=integers, attributes={"alpha": 2.0}, opsets=(9, 12, 15, 26), **declared)
    yield Case("first-only", inputs=[x.astype(np.float32), y.astype(np.float32)], attributes={"alpha": 0.5}, absent_outputs=[1], opsets=(9, 12, 26))
    yield Case("second-only", inputs=[x.astype(np.float32), y.astype(np.float32)], attributes={"alpha": 0.5}, absent_outputs=[0], opsets=(9, 12, 26))
    yield Case("integer-alpha", inputs=[np.float32([1, 2]), np.float32([3, 4])], attributes={"alpha": 2}, opsets=(9, 12, 26))
    yield Case("set", inputs=[np.float32([1, 2]), np.float32([3, 4])], set={"alpha": 0.5}, opsets=(9, 12, 26))
    yield Case("lost", inputs=[np.float32([1, 2]), np.float32([3, 4])], opsets=(12,), refuse="--set")
    for dtype in ("float32", "float64", "float16"):
        yield Case(f"input-{dtype}", inputs=[x.astype(dtype), y.astype(dtype), np.float64(0.3)], constants=[2], define=define_with_input, **(half if dtype == "float16" else {}))
    yield Case("input-computed", inputs=[x.astype(np.float32), y.astype(np.float32), np.float32(0.3)], define=define_with_input, opsets=(9, 12, 26))
    yield Case("input-int64", inputs=[np.array([1, 2, 3]), np.array([4, 0, -6]), np.float64(0.5)], constants=[2], define=define_with_input, opsets=(9, 12, 15, 26))
    pair = [np.float32([1, 2]), np.float32([3, 4])]
    for name, alpha in (("list", [0.3]), ("tensor", np.float64(0.3)), ("string", "0.3")):
        yield Case(f"alpha-as-{name}", inputs=pair, attributes={"alpha": alpha}, meaning={"alpha": 0.3}, opsets=(9, 12, 26),
                   cannot={"kernel": "ONNX Runtime gives it attributes of their own type only"})
    for constants in ([], [2]):
        yield Case(f"input-rank-1-{'constant' if constants else 'computed'}", inputs=[*pair, np.float32([0.3])], constants=constants, shapes="static", define=define_with_input, opsets=(9, 12, 26))

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Activations whose meaning an operator's own schema says in a function body."""
import numpy as np

from definition import Case

WHY = "Exponentials and products round."
POINTS = np.array([[-100, -4, -1.5, -0.5, -1e-3, 0], [1e-3, 0.3, 1, 2.5, 6, 50]])


def cases_of(written_for=None, rtol=4e-6, atol=2e-6, half=True, double=True, attributes=({},), cannot=None):
    cannot = cannot or {}
    for number, given in enumerate(attributes):
        yield Case(f"float32-{number}", inputs=[POINTS.astype(np.float32)], attributes=given, written_for=written_for, rtol=rtol, atol=atol, why=WHY,
                   cannot=cannot)
    if half:
        yield Case("float16", inputs=[POINTS.astype(np.float16)], attributes=attributes[0], written_for=written_for, rtol=1e-2, atol=1e-2,
                   why="Every step of the formula rounds to half precision.", cannot=cannot)
    if double:
        yield Case("float64", inputs=[POINTS], attributes=attributes[0], written_for=written_for, rtol=1e-6, atol=1e-7,
                   why="Constants of the formula are of single precision.", cannot={"ort": "it has no kernels for double"})

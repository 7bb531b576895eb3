# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::logit: log(z / (1 - z)), z = x held between eps and 1 - eps where eps is given.

Source: PyTorch's documentation of torch.logit.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x, eps=None):
    kind = _elementwise.result_type(x)
    x = x.astype(kind)
    if eps is not None:
        low = eps.astype(kind)
        high = kind.type(1) - low
        x = np.where(x < low, low, np.where(x > high, high, x))
    z = x.astype(np.float64)
    return np.log(z / (1 - z)).astype(kind)


VALUES = [0, -0.0, 1e-8, 0.01, 0.2, 0.5, 0.7, 0.999, 1, -1, 2, np.inf, -np.inf, np.nan]


def cases():
    yield from _elementwise.unary_cases(VALUES, openvino=_elementwise.NO_NAN)
    for eps in (0.1, 1e-6):
        for dtype in ("float32", "float64", "float16"):
            rtol, atol = _elementwise.TOLERANCES[dtype]
            if dtype != "float16":  # there PyTorch rounds the bounds, and the rule computes in float32
                yield Case(f"eps-{eps}-{dtype}", inputs=[np.array(VALUES, dtype), np.float64(eps)], constants=[1], opsets=(9, 11, 12, 15, 26), cannot={"openvino": _elementwise.NO_NAN},
                           rtol=rtol, atol=atol, why=_elementwise.WHY)
    yield Case("int64-eps", inputs=[np.int64([0, 1, 2]), np.float64(0.25)], constants=[1], opsets=(9, 15, 26), rtol=1e-6, why=_elementwise.WHY)
    yield Case("left-out", inputs=[np.float32([0.25, 0.5]), None], opsets=(9, 12, 26), rtol=1e-6, why=_elementwise.WHY)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::softplus: log(1 + exp(beta x)) / beta, x above the threshold.

Source: PyTorch's documentation of torch.nn.functional.softplus.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x, beta, threshold):
    beta = beta.astype(x.dtype).astype(np.float64)
    threshold = threshold.astype(x.dtype).astype(np.float64)
    x64 = x.astype(np.float64)
    return (np.where(x64 * beta > threshold, x64, np.log1p(np.exp(np.minimum(x64 * beta, 700))) / beta)).astype(x.dtype)


def cases():
    for dtype in ("float32", "float64", "float16"):
        with np.errstate(over="ignore"):
            x = np.array(_elementwise.SPECIAL).astype(dtype)
        rtol, atol = _elementwise.TOLERANCES[dtype]
        yield Case(dtype, inputs=[x, np.float64(2), np.float64(20)], constants=[1, 2], opsets=range(9, 27) if dtype == "float32" else _elementwise.SOME_OPSETS,
                   rtol=rtol, atol=atol, why=_elementwise.WHY)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::hardshrink: 0 where |x| <= lambd, else x.

Source: PyTorch's documentation of torch.nn.functional.hardshrink.
"""
import numpy as np

from definition import Case, definition_of

_elementwise = definition_of("aten", "_elementwise")

def define(x, lambd):
    lambd = lambd.astype(x.dtype).astype(np.float64)
    x64 = x.astype(np.float64)
    return (np.where(np.abs(x64) <= lambd, 0, x64)).astype(x.dtype)


def cases():
    for dtype in ("float32", "float64", "float16"):
        with np.errstate(over="ignore"):
            x = np.array(_elementwise.SPECIAL).astype(dtype)
        rtol, atol = _elementwise.TOLERANCES[dtype]
        yield Case(dtype, inputs=[x, np.float64(0.5)], constants=[1], opsets=range(9, 27) if dtype == "float32" else _elementwise.SOME_OPSETS,
                   rtol=rtol, atol=atol, why=_elementwise.WHY)

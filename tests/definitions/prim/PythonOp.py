# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""prim::PythonOp: what it computes is not in the file; the user's rule says it.

Source: torch.onnx with ONNX_FALLTHROUGH.
"""
import pathlib

import numpy as np

from definition import Case

def define(a, b, **_):
    return a + b


def cases():
    a, b, attributes = np.float32([1, 2]), np.float32([3, 4]), {"inplace": 0, "module": "__main__"}
    yield Case("unknown", inputs=[a, b], attributes=attributes, opsets=(12,), refuse="symbolic")
    yield Case("names-the-signature", inputs=[a, b], attributes=attributes, opsets=(12,), refuse="PythonOp <inplace, module> (x0, x1) => (y0)")
    rule = str(pathlib.Path(__file__).parents[2] / "rules" / "python_op.onnxtxt")
    yield Case("users-rule", inputs=[a, b], attributes=attributes, opsets=(9, 12, 26), options=["--rules", rule])

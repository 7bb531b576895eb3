# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Scale: y = scale * x.

Source: an experimental operator of ONNX before 1.5, which ONNX Runtime kept.
"""
import numpy as np

from definition import Case

def define(x, scale=1.0):
    return x * x.dtype.type(scale)


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("factor", inputs=[x], attributes={"scale": 0.75})
    yield Case("default", inputs=[x.astype(np.float16)])

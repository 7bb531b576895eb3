# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Clip_TRT: x limited to the interval from clipMin to clipMax.

Source: TensorRT's clipPlugin.
"""
import numpy as np

from definition import Case

def define(x, clipMin, clipMax):
    return np.clip(x, x.dtype.type(clipMin), x.dtype.type(clipMax))


def cases():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(1, 2, 3, 4)
    yield Case("float", inputs=[x], attributes={"clipMin": -1.0, "clipMax": 2.0})
    yield Case("float16", inputs=[x.astype(np.float16)], attributes={"clipMin": -1.0, "clipMax": 2.0})

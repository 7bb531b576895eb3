# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SampleOp: y = x.

Source: ONNX Runtime's contrib operator SampleOp.
"""
import numpy as np

from definition import Case


def define(x):
    return x


def cases():
    yield Case("float", inputs=[np.float32([[1, np.nan, np.inf]])])

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""qonnx.custom_op.general::BipolarQuant: one of two numbers.

Source: qonnx/custom_op/general/bipolar_quant.py of QONNX.
"""
import numpy as np

from definition import Case


def define(x, scale):
    return np.where(x >= 0, scale, -scale).astype(x.dtype)


def cases():
    x = np.float32([[-2, -0.0, 0], [0.25, np.nan, np.inf]])
    yield Case("scalar", inputs=[x, np.float32(0.5)])
    yield Case("per-channel", inputs=[x, np.float32([[0.5], [2]])], constants=[1])

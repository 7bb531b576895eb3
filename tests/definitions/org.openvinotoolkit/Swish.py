# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.openvinotoolkit::Swish: x times the sigmoid of beta times x.

Source: OpenVINO's Swish-4.
"""
import numpy as np

from definition import Case


def define(x, beta=1.0):
    return (x / (1 + np.exp(-np.float64(x) * np.ravel(beta)[0]))).astype(x.dtype)


def cases():
    x = np.float32([[-20, -1, -0.5], [0, 0.5, 30]])
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "a sigmoid in float"}
    yield Case("plain", inputs=[x], **near)
    yield Case("beta", inputs=[x, np.float32(1.5)], **near)
    yield Case("beta-of-a-row", inputs=[x, np.float32([0.5])], constants=[1], **near)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Asin: the inverse of the sine, of double: ONNX Runtime has no kernel for it. What the model itself says stays; what a function says is lowered.

Source: ONNX Asin-7.
"""
import numpy as np

from definition import Case


def define(x):
    return np.arcsin(x)


def cases():
    x = np.array([0, -0.0, 1e-300, 1e-17, -1e-8, 0.3, -0.7, 0.9999999, 1, -1, 1.5, np.nan])
    yield Case("double-in-function", inputs=[x], also=[[np.zeros(0)]], written_for=18, opsets=range(9, 27), rtol=2e-14, why="Some fifty additions and products round.",
               cannot={"openvino": "it computes double as float"})

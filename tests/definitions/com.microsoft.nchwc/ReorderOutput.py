# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft.nchwc::ReorderOutput: like all operators of that domain it is of a layout that depends on the processor, and cannot be lowered.

Source: ONNX Runtime's NCHWc graph transformer.
"""
import numpy as np

from definition import Case


def define(x):
    return x


def cases():
    x = np.zeros((1, 8, 2, 2), np.float32)
    yield Case("reorder", inputs=[x], attributes={"channels": 8}, refuse="ORT_ENABLE_EXTENDED")

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers of half precision of their bytes.

Source: its own definition, in rules/onnx_lower/HalfOfBytes.onnxtxt.
"""
import numpy as np

from definition import Case


def define(low, high):
    return np.stack([low, high], -1).reshape(-1).view(np.float16).astype(np.float32).reshape(low.shape)


def cases():
    every = np.arange(2**16, dtype=np.uint16).view(np.uint8).reshape(-1, 2)
    yield Case("all", inputs=[every[:, 0].copy(), every[:, 1].copy()], shapes="static")

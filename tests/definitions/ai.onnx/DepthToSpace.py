# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::DepthToSpace: blocks of an image of what stood in its channels.

Source: ONNX DepthToSpace-13.
"""
import numpy as np

from definition import Case


def define(x, *, blocksize, mode="DCR"):
    n, c, h, w = x.shape
    if mode == "DCR":
        return x.reshape(n, blocksize, blocksize, c // blocksize**2, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, c // blocksize**2, h * blocksize, w * blocksize)
    return x.reshape(n, c // blocksize**2, blocksize, blocksize, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(n, c // blocksize**2, h * blocksize, w * blocksize)


def cases():
    for size, channels in ((2, 12), (3, 9), (1, 2)):
        x = np.arange(2 * channels * 6, dtype=np.float32).reshape(2, channels, 2, 3)
        yield Case(f"columns-first-{size}", inputs=[x], attributes={"blocksize": size, "mode": "CRD"}, written_for=11, opsets=range(9, 11))

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::SpaceToDepth: channels of what stood in the blocks of an image.

Source: ONNX SpaceToDepth-28.
"""
import numpy as np

from definition import Case


def define(x, *, blocksize, mode="DCR"):
    n, c, h, w = x.shape
    blocks = x.reshape(n, c, h // blocksize, blocksize, w // blocksize, blocksize)
    return blocks.transpose((0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)).reshape(n, c * blocksize**2, h // blocksize, w // blocksize)


def cases():
    for size, channels in ((2, 3), (3, 1), (2, 1)):
        x = np.arange(2 * channels * 72, dtype=np.float32).reshape(2, channels, 6, 12)
        yield Case(f"columns-first-{size}-{channels}", inputs=[x], attributes={"blocksize": size, "mode": "CRD"}, written_for=28)

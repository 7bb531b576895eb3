# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::bucketize: aten::searchsorted with its first two inputs exchanged.

Source: PyTorch's documentation of torch.bucketize.
"""
import numpy as np

from definition import Case

def define(x, boundaries, out_int32=False, right=False):
    return np.searchsorted(boundaries, x, "right" if right else "left").astype(np.int32 if out_int32 else np.int64)


def cases():
    boundaries, x = np.float32([-1, 0, 0, 1, 5]), np.float32([[-2, -1, 0], [0.5, 5, 9]])
    for right in (False, True):
        for out_int32 in (False, True):
            yield Case(f"right-{right}-{out_int32}", inputs=[x, boundaries, np.bool_(out_int32), np.bool_(right)], constants=[2, 3], opsets=range(9, 27) if not out_int32 else (9, 13, 26))

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::rot90: turned in a plane.

Source: PyTorch's documentation of torch.rot90.
"""
import numpy as np

from definition import Case

def define(x, k, dims):
    return np.rot90(x, int(k), tuple(dims.tolist()))


def cases():
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for k in (-1, 0, 1, 2, 3, 5):
        yield Case(f"turns{k}", inputs=[x, np.int64(k), np.array([1, 2])], constants=[1, 2], opsets=range(10, 27) if k == 1 else (10, 13, 26))
    yield Case("backwards", inputs=[x, np.int64(1), np.array([2, 0])], constants=[1, 2], opsets=(10, 13, 26))
    yield Case("negative", inputs=[x, np.int64(3), np.array([-1, -3])], constants=[1, 2], opsets=(10, 13, 26))

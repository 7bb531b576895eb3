# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::flip: in reverse order along dimensions.

Source: PyTorch's documentation of torch.flip.
"""
import numpy as np

from definition import Case

def define(x, dims):
    return np.flip(x, tuple(dims.tolist()))


def cases():
    yield Case("of-no-dimension", inputs=[np.float32(3), np.array([-1])], constants=[1], opsets=(10, 26), define=lambda x, dims: x)
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for dims in ([0], [1, 2], [-1, 0]):
        yield Case("dims" + "_".join(map(str, dims)), inputs=[x, np.array(dims)], constants=[1], opsets=range(10, 27))
    for shapes in ("symbolic", "unranked"):
        yield Case(f"nothing-{shapes}", inputs=[x, np.zeros(0, np.int64)], constants=[1], shapes=shapes, also=[[x[0, 0, 0], np.zeros(0, np.int64)]] if shapes == "unranked" else [], opsets=(10, 15, 26))

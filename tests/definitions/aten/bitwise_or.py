"""aten::bitwise_or: the bitwise or.

Source: PyTorch's documentation of torch.bitwise_or.
"""
import numpy as np

from definition import Case

def define(x, other):
    return np.bitwise_or(x, other.astype(x.dtype))


def cases():
    yield Case("bool", inputs=[np.array([[True], [False]]), np.array([True, False])])
    for dtype in ("int64", "int32", "uint8"):
        yield Case(dtype, inputs=[np.array([[5], [12]], dtype), np.array([3, 6, 127], dtype)], opsets=(18, 21, 26))
    yield Case("number", inputs=[np.array([5, 12], "int32"), np.int64(6)], constants=[1], opsets=(18, 26))
    yield Case("old", inputs=[np.array([5, 12]), np.array([3, 6])], opsets=(9, 17), refuse="Bitwise")

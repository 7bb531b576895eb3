"""aten::diff: differences of neighbours.

Source: PyTorch's documentation of torch.diff.
"""
import numpy as np

from definition import Case

def define(x, n, dim, prepend=None, append=None):
    return np.diff(x, int(n), int(dim))


def cases():
    x = np.float32([[1, 4, 9, 16], [np.inf, 0, np.nan, 2], [5, 5, 6, 6]])
    for dim in (0, 1, -1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(1), np.int64(dim), None, None], constants=[1, 2], opsets=range(9, 27) if dim == 1 else (10, 13, 26))
    yield Case("int64", inputs=[np.array([1, 5, 2]), np.int64(1), np.int64(0)], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("twice", inputs=[x, np.int64(2), np.int64(0)], constants=[1, 2], opsets=(13,), refuse="value_of_n")

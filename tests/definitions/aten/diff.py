# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::diff: differences of neighbours.

Source: PyTorch's documentation of torch.diff.
"""
import numpy as np

from definition import Case


def define(x, n=1, dim=-1, prepend=None, append=None):
    if int(n) == 0:
        return x
    parts = [part for part in (prepend, x, append) if part is not None]
    return np.diff(np.concatenate(parts, int(dim)), int(n), int(dim))


def cases():
    x = np.float32([[1, 4, 9, 16], [np.inf, 0, np.nan, 2], [5, 5, 6, 6]])
    for dim in (0, 1, -1):
        yield Case(f"dim{dim}", inputs=[x, np.int64(1), np.int64(dim), None, None], constants=[1, 2], opsets=range(9, 27) if dim == 1 else (10, 13, 26))
    yield Case("int64", inputs=[np.array([1, 5, 2]), np.int64(1), np.int64(0)], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("default", inputs=[x], opsets=(9, 13, 26))
    for n in (0, 2, 3):
        yield Case(f"n{n}", inputs=[x, np.int64(n), np.int64(1)], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("prepend", inputs=[x, np.int64(1), np.int64(-1), x[:, :1]], constants=[1, 2], opsets=range(9, 27))
    yield Case("append", inputs=[x, np.int64(1), np.int64(0), None, x[:2]], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("both-twice", inputs=[x, np.int64(2), np.int64(1), x, x], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("nothing-twice", inputs=[x, np.int64(0), np.int64(1), x, x], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("bool", inputs=[x > 4, np.int64(2), np.int64(1)], constants=[1, 2], opsets=(9, 13, 26))
    yield Case("computed", inputs=[x, np.int64(2), np.int64(0)], constants=[2], opsets=(13,), refuse="is not a constant number")
    yield Case("types", inputs=[x, np.int64(1), np.int64(0), np.int64([[1, 2, 3, 4]])], constants=[1, 2], opsets=(13,), refuse="inputs 0 and 3 are not known to be of one type")

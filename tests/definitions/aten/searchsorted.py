# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::searchsorted: where elements would go into a sorted vector.

Source: PyTorch's documentation of torch.searchsorted.
"""
import numpy as np

from definition import Case

def define(sorted_sequence, x, out_int32=False, right=False, side=None, sorter=None):
    if sorted_sequence.ndim > 1:
        rows = zip(sorted_sequence.reshape(-1, sorted_sequence.shape[-1]), x.reshape(-1, x.shape[-1]))
        return np.stack([define(row, sought, out_int32, right) for row, sought in rows]).reshape(x.shape)
    return np.searchsorted(sorted_sequence, x, "right" if right else "left").astype(np.int32 if out_int32 else np.int64)


def cases():
    values, x = np.float32([-1, 0, 0, 1, 5]), np.float32([[-2, -1, 0], [0.5, 5, 9], [np.inf, -np.inf, np.nan]])
    for right in (False, True):
        for out_int32 in (False, True):
            yield Case(f"right-{right}-{out_int32}", inputs=[values, x, np.bool_(out_int32), np.bool_(right), None, None], constants=[2, 3], cannot={"openvino": "it compares NaN as if it were a number"},
                       opsets=range(9, 27) if not out_int32 else (9, 13, 26))
    yield Case("int64", inputs=[np.array([1, 3, 5]), np.array([0, 3, 6]), np.bool_(False), np.bool_(False)], constants=[2, 3], opsets=(9, 13, 26))
    rows = np.float32([[0, 1, 1, 4], [-3, -2, 0, 5]])
    for right in (False, True):
        for out_int32 in (False, True):
            yield Case(f"rows-{right}-{out_int32}", inputs=[rows, np.float32([[1, 0, 9], [-9, -2, 0]]), np.bool_(out_int32), np.bool_(right)], constants=[2, 3], opsets=range(9, 27) if not out_int32 else (9, 13, 26))
    yield Case("rows-of-rows", inputs=[np.stack([rows, rows + 1]), np.float32([[[1, 0, 9], [-9, -2, 0]], [[1, 2, 3], [4, 5, 6]]]), np.bool_(False), np.bool_(False)], constants=[2, 3], opsets=(9, 13, 26))
    yield Case("number", inputs=[values, np.float64(0.3), np.bool_(False), np.bool_(False)], constants=[1, 2, 3], opsets=(9, 13, 26))
    yield Case("double", inputs=[values, np.float64([0.3, 7]), np.bool_(False), np.bool_(False)], constants=[2, 3], opsets=(9, 13, 26))

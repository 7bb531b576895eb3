"""aten::searchsorted: where elements would go into a sorted vector.

Source: PyTorch's documentation of torch.searchsorted.
"""
import numpy as np

from definition import Case

def define(sorted_sequence, x, out_int32=False, right=False, side=None, sorter=None):
    return np.searchsorted(sorted_sequence, x, "right" if right else "left").astype(np.int32 if out_int32 else np.int64)


def cases():
    values, x = np.float32([-1, 0, 0, 1, 5]), np.float32([[-2, -1, 0], [0.5, 5, 9], [np.inf, -np.inf, np.nan]])
    for right in (False, True):
        for out_int32 in (False, True):
            yield Case(f"right-{right}-{out_int32}", inputs=[values, x, np.bool_(out_int32), np.bool_(right), None, None], constants=[2, 3], cannot={"openvino": "it compares NaN as if it were a number"},
                       opsets=range(9, 27) if not out_int32 else (9, 13, 26))
    yield Case("int64", inputs=[np.array([1, 3, 5]), np.array([0, 3, 6]), np.bool_(False), np.bool_(False)], constants=[2, 3], opsets=(9, 13, 26))

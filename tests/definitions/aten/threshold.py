# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::threshold: value where x <= threshold, else x; both numbers are first converted to the type of x, but a float16 is compared in float.

Source: PyTorch's documentation of torch.nn.Threshold; of the conversion, its kernel.
"""
import numpy as np

from definition import Case

def define(x, threshold, value):
    compared = x.astype(np.float32) if x.dtype == np.float16 else x
    return np.where(compared <= threshold.astype(compared.dtype), value.astype(x.dtype), x)


def cases():
    for dtype in ("float32", "float64", "float16"):
        x = np.array([-3, -0.0, 0.09, 0.1, 0.11, 1, 30, np.nan, np.inf, -np.inf], dtype)
        yield Case(dtype, inputs=[x, np.float64(0.1), np.float64(20)], constants=[1, 2], also=[[x[:0], np.float64(0.1), np.float64(20)]])
    # Between two float16, of which it would be the second.
    yield Case("float16-between", inputs=[np.float16([0.1, 0.10004, 0.1001, np.nan]), np.float64(0.10003), np.float64(20)], constants=[1, 2])
    for dtype in ("int64", "int32", "int16", "int8", "uint8"):
        x = np.array([0, 1, 2, 3, 100], dtype)
        opsets = range(9, 27) if dtype in ("int64", "int32") else (12, 15, 18, 26)
        yield Case(dtype, inputs=[x, np.int64(1), np.int64(20)], constants=[1, 2], opsets=opsets)
        yield Case(f"{dtype}-fraction", inputs=[x, np.float64(1.7), np.float64(20.9)], constants=[1, 2], opsets=opsets)
    yield Case("negative-fraction", inputs=[np.int64([-2, -1, 0, 1]), np.float64(-0.5), np.int64(20)], constants=[1, 2], opsets=(9, 12, 15, 26))
    yield Case("scalar", inputs=[np.float32(-1), np.float64(0.1), np.float64(20)], constants=[1, 2], opsets=(9, 12, 26))
    yield Case("computed-numbers", inputs=[np.float32([-1, 1]), np.float64(0.1), np.float64(20)], opsets=(9, 12, 26))
    # Opset 8 has no Where: what stands for it takes a value that is finite.
    many = np.resize(np.float32([-3, -0.0, 0.09, 0.1, 0.11, 1, 30, np.nan, np.inf, -np.inf]), 70)
    yield Case("opset-8", inputs=[many, np.float64(0.1), np.float64(20)], constants=[1, 2], constants_as="node", opsets=(8,), cannot={"openvino": "it compares NaN as if it were a number"})

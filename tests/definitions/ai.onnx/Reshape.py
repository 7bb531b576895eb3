# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Reshape: the same elements in another shape; with allowzero a 0 is a dimension of size 0.

Source: ONNX Reshape-14.
"""
import numpy as np

from definition import Case


def define(data, shape, *, allowzero=0):
    sizes = [data.shape[axis] if size == 0 and not allowzero else int(size) for axis, size in enumerate(shape)]
    return data.reshape(sizes)


def cases():
    x, empty = np.arange(6, dtype=np.float32).reshape(2, 3), np.zeros((0, 3), np.float32)
    for allowzero in (0, 1):
        attributes = {"allowzero": allowzero}
        yield Case(f"constant-{allowzero}", inputs=[x, np.int64([3, -1])], constants=(1,), attributes=attributes, written_for=14)
        yield Case(f"at-run-time-{allowzero}", inputs=[x, np.int64([3, 2])], also=[[x, np.int64([-1, 1])], [x, np.int64([6, 1])]], attributes=attributes,
                   shapes=["symbolic", "static"], written_for=14)
    yield Case("zero", inputs=[empty, np.int64([4, 0])], constants=(1,), attributes={"allowzero": 1}, written_for=14,
               cannot={"openvino": "it loses the sizes of an empty tensor"})
    zeros = {"attributes": {"allowzero": 1}, "written_for": 14}
    also = [[empty, np.int64([4, 0])], [empty, np.int64([0, 4])], [empty, np.int64([0, 0])], [empty, np.int64([-1, 3])]]
    yield Case("zero-at-run-time", inputs=[x, np.int64([3, 2])], also=also, cannot={"openvino": "it loses the sizes of an empty tensor"}, **zeros)
    cube = np.arange(24).reshape(2, 3, 4)
    for dtype in (np.float32, np.float16, np.int32, np.int64, np.uint8, bool):
        shapes = ["symbolic", "static"]
        also = [[cube.astype(dtype), np.int64(shape)] for shape in ([-1, 3, 2, 2], [1, 24, 1, -1])]
        yield Case(f"longer-{np.dtype(dtype)}", inputs=[cube.astype(dtype), np.int64([2, -1, 2, 3])], also=also, shapes=shapes, output_shapes="symbolic", **zeros)
    yield Case("shorter", inputs=[cube, np.int64([-1])], shapes="static", **zeros)
    yield Case("to-scalar", inputs=[np.float32([[5]]), np.zeros(0, np.int64)], shapes="static", **zeros)
    yield Case("copied", inputs=[x, np.int64([0, 3])], constants=(1,), attributes={"allowzero": 0}, written_for=14)

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
    yield Case("zero-at-run-time", inputs=[x, np.int64([3, 2])], also=[[empty, np.int64([4, 0])]], attributes={"allowzero": 1}, written_for=14,
               cannot={"openvino": "it loses the sizes of an empty tensor"})
    yield Case("copied", inputs=[x, np.int64([0, 3])], constants=(1,), attributes={"allowzero": 0}, written_for=14)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Unsqueeze: with new axes of size 1.

Source: ONNX Unsqueeze-11, Unsqueeze-13.
"""
import numpy as np

from definition import Case


def define(data, axes_input=None, **former):
    axes = former.get("axes", axes_input)
    return np.expand_dims(data, tuple(int(axis) for axis in axes))


def cases():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    yield Case("input", inputs=[x, np.int64([0])], constants=(1,), written_for=13)
    yield Case("input-several", inputs=[x, np.int64([3, 0])], constants=(1,), written_for=13)
    yield Case("input-negative", inputs=[x, np.int64([-1])], constants=(1,), written_for=13)
    yield Case("input-node", inputs=[x, np.int64([1])], constants=(1,), constants_as="node", written_for=13)
    yield Case("attribute", inputs=[x], attributes={"axes": [0, 2]}, written_for=11)
    yield Case("scalar", inputs=[np.float32(3), np.int64([0])], constants=(1,), written_for=13)
    yield Case("axes-at-run-time", inputs=[x, np.int64([0])], also=[[x, np.int64([2])], [x, np.int64([-2])], [x[:, :0], np.int64([1])]], written_for=13,
               cannot={"openvino": "it wants the axes to be constants from 13 on"})
    rank = {"openvino": "it wants the rank of the result to be known"}
    yield Case("axes-at-run-time-several", inputs=[x, np.int64([3, 0])], also=[[x, np.int64([-4, -2])], [x[:0], np.int64([1, 2])]], written_for=13, opsets=range(9, 13), cannot=rank)
    yield Case("axes-at-run-time-of-a-scalar", inputs=[np.float32(2), np.int64([0, 1])], written_for=13, opsets=range(9, 13), cannot=rank)
    yield Case("attribute-negative", inputs=[x], attributes={"axes": [-2]}, written_for=11, shapes="static")
    yield Case("axes-at-run-time-static", inputs=[x, np.int64([2, 0])], written_for=13, shapes="static", opsets=range(9, 13))
    yield Case("axes-at-run-time-static-one", inputs=[x, np.int64([1])], written_for=13, shapes="static", opsets=range(9, 13))
    yield Case("last-of-any-rank", inputs=[x, np.int64([-1])], constants=(1,), shapes=["unranked", "static"], output_shapes=["unranked"], written_for=13, opsets=(11, 12))
    yield Case("several-of-any-rank", inputs=[x, np.int64([-1, 0])], constants=(1,), shapes=["unranked", "static"], output_shapes=["unranked"], written_for=13, opsets=(11, 12), refuse="the rank of input 0")

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Squeeze: without the given axes of size 1, or without any.

Source: ONNX Squeeze-11, Squeeze-13.
"""
import numpy as np

from definition import Case


def define(data, axes_input=None, **former):
    axes = former.get("axes", axes_input)
    return np.squeeze(data) if axes is None else np.squeeze(data, tuple(int(axis) for axis in axes))


def cases():
    x = np.arange(6, dtype=np.float32).reshape(1, 2, 1, 3)
    yield Case("input", inputs=[x, np.int64([0])], constants=(1,), written_for=13, shapes="static")
    yield Case("input-negative", inputs=[x, np.int64([-2, 0])], constants=(1,), written_for=13, shapes="static")
    yield Case("input-node", inputs=[x, np.int64([2])], constants=(1,), constants_as="node", written_for=13, shapes="static")
    yield Case("attribute", inputs=[x], attributes={"axes": [0, 2]}, written_for=11, shapes="static")
    yield Case("attribute-one", inputs=[x], attributes={"axes": [2]}, written_for=11, shapes="static")
    yield Case("all", inputs=[x], written_for=13, shapes="static")
    yield Case("int64", inputs=[x.astype(np.int64), np.int64([0])], constants=(1,), written_for=13, shapes="static")
    yield Case("axes-at-run-time", inputs=[x, np.int64([0])], also=[[x, np.int64([2])], [x, np.int64([-2])], [x[:, :0], np.int64([2])]], written_for=13,
               cannot={"openvino": "it wants the axes to be constants from 13 on"})
    yield Case("axes-at-run-time-several", inputs=[x, np.int64([2, 0])], also=[[x, np.int64([-4, -2])]], written_for=13, opsets=range(9, 13),
               cannot={"openvino": "it wants the rank of the result to be known"})
    yield Case("axes-at-run-time-static", inputs=[x, np.int64([2, 0])], written_for=13, shapes="static", opsets=range(9, 13))
    yield Case("attribute-negative", inputs=[x], attributes={"axes": [-2]}, written_for=11, shapes="static")

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the reductions share: their axes, and the cases at which each is tried."""
import numpy as np

from definition import Case

WHY = "ONNX Runtime sums in another order than NumPy."


def definition(reduce):
    def define(data, axes=None, *, keepdims=1, noop_with_empty_axes=0, **former):
        axes = former.get("axes", axes)
        if axes is None or len(axes) == 0:
            if noop_with_empty_axes:
                return data
            axes = range(data.ndim)
        return np.asarray(reduce(data, tuple(int(axis) for axis in axes), bool(keepdims))).astype(data.dtype)

    return define


def cases_with(since, reduce, positive=False, noop=True):
    """`since`: the opset from which on the axes are an input. Where `noop` is false, the schema's function says the operator by ReduceSum."""
    random = np.random.default_rng(4)
    data = random.normal(size=(2, 3, 4))
    data = np.abs(data) + 0.5 if positive else data
    near = {"rtol": 2e-6, "atol": 2e-6, "why": WHY}
    for dtype in (np.float32, np.float64):
        yield Case(f"axes-input-{np.dtype(dtype)}", inputs=[data.astype(dtype), np.int64([1])], constants=(1,), written_for=18, **near)
    x = data.astype(np.float32)
    yield Case("axes-input-node", inputs=[x, np.int64([0, 2])], constants=(1,), constants_as="node", attributes={"keepdims": 0}, written_for=18, **near)
    yield Case("axes-input-negative", inputs=[x, np.int64([-1])], constants=(1,), written_for=18, **near)
    yield Case("axes-input-empty", inputs=[x, np.int64([])], constants=(1,), written_for=18, **near)
    yield Case("no-axes", inputs=[x], attributes={"keepdims": 0}, written_for=18, **near)
    yield Case("axes-attribute", inputs=[x], attributes={"axes": [1, 2]}, written_for=11, define=_with_axes(reduce), **near)
    yield Case("axes-attribute-one", inputs=[x], attributes={"axes": [-1], "keepdims": 0}, written_for=11, define=_with_axes(reduce), **near)
    # At run time: other axes for the same model, of which some count from the end, and none, which means all.
    wants = {"openvino": "from 13 or 18 on it wants the axes to be constants"}
    lists = [[x, np.int64([2])], [x, np.int64([-3])], [x[:1], np.int64([0])]]
    yield Case("axes-at-run-time", inputs=[x, np.int64([1])], also=lists + [[x, np.int64([0, -1])], [x, np.int64([2, 1, 0])], [x, np.int64([])]], written_for=18,
               cannot=wants, **near)
    yield Case("axes-at-run-time-gone", inputs=[x, np.int64([1])], also=lists, attributes={"keepdims": 0}, written_for=18, cannot=wants, **near)
    yield Case("axes-at-run-time-static", inputs=[x, np.int64([0, 2])], attributes={"keepdims": 0}, shapes="static", written_for=18, cannot=wants, **near)
    yield Case("axes-at-run-time-constant-below", inputs=[x, np.int64([1])], opsets=range(9, since if noop else 13), written_for=18, **near)
    yield Case("axes-at-run-time-of-a-scalar", inputs=[x[0, 0, 0], np.int64([])], written_for=18, cannot=wants, **near)
    if noop:
        yield Case("axes-at-run-time-noop", inputs=[x, np.int64([1])], also=[[x, np.int64([])], [x, np.int64([0, 2])]], attributes={"noop_with_empty_axes": 1},
                   written_for=18, cannot=wants, **near)
    if noop:
        yield Case("noop", inputs=[x], attributes={"noop_with_empty_axes": 1}, written_for=18)


def _with_axes(reduce):
    def define(data, *, axes, keepdims=1):
        return np.asarray(reduce(data, tuple(axes), bool(keepdims))).astype(data.dtype)

    return define

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Pad: more elements at both ends of axes.

Source: ONNX Pad-2, Pad-11, Pad-18.
"""
import numpy as np

from definition import Case


def define(data, pads_input=None, value=None, axes=None, *, mode="constant", **former):
    pads = former.get("pads", pads_input)
    if value is None:
        value = former.get("value", 0)
    axes = range(data.ndim) if axes is None else [int(axis) for axis in axes]
    widths = [(0, 0)] * data.ndim
    for i, axis in enumerate(axes):
        widths[axis] = (int(pads[i]), int(pads[i + len(axes)]))
    begins = tuple(slice(max(-low, 0), data.shape[k] + min(high, 0)) for k, (low, high) in enumerate(widths))
    more = {"constant_values": value} if mode == "constant" else {}
    return np.pad(data[begins], [(max(low, 0), max(high, 0)) for low, high in widths], mode, **more).astype(data.dtype)


def cases():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    pads = np.int64([0, 1, 1, 2])
    for mode in ("constant", "reflect", "edge"):
        yield Case(f"{mode}", inputs=[x, pads], constants=(1,), attributes={"mode": mode}, written_for=13)
        yield Case(f"{mode}-attributes", inputs=[x], attributes={"mode": mode, "pads": [0, 1, 1, 2]}, written_for=2)
    yield Case("value", inputs=[x, pads, np.float32(0.1)], constants=(1, 2), written_for=13)
    yield Case("value-minus-infinity", inputs=[x, pads, np.float32(-np.inf)], constants=(1, 2), written_for=13)
    yield Case("value-attribute", inputs=[x], attributes={"pads": [1, 0, 0, 2], "value": 0.1}, written_for=2,
               define=lambda data, pads, value: define(data, pads, np.float32(value)))
    yield Case("cropped", inputs=[x, np.int64([0, -1, 1, 0])], constants=(1,), written_for=13)
    yield Case("double", inputs=[x.astype(np.float64), pads, np.float64(0.5)], constants=(1, 2), written_for=13)
    yield Case("int32", inputs=[x.astype(np.int32), pads, np.int32(7)], constants=(1, 2), written_for=13)
    yield Case("int64", inputs=[x.astype(np.int64), pads], constants=(1,), written_for=13, opsets=range(11, 27))
    yield Case("axes", inputs=[x, np.int64([1, 2]), None, np.int64([-1])], constants=(1, 3), written_for=18)
    yield Case("axes-value", inputs=[x, np.int64([1, 2]), np.float32(5), np.int64([0])], constants=(1, 2, 3), written_for=18)
    yield Case("axes-at-run-time", inputs=[x, np.int64([1, 2]), np.float32(5), np.int64([1])], constants=(3,), written_for=18, opsets=range(11, 27))
    # At run time: with other widths for the same model, of which some cut off.
    square = np.arange(20, dtype=np.float32).reshape(4, 5)
    lists = [[square, np.int64([2, 0, 0, 3])], [square, np.int64([-1, 2, 3, -2])], [square, np.int64([3, -1, -2, 0])]]
    for mode in ("constant", "reflect", "edge", "wrap"):
        # At 18 and above ONNX Runtime pads by itself; where widths of both signs meet, it reflects what was cut off.
        also = lists if mode in ("constant", "edge") else lists[:1]
        written_for = 19 if mode == "wrap" else 13
        cannot = {"openvino": "its Pad has no mode wrap, which it gets from 19 on"} if mode == "wrap" else {}
        yield Case(f"at-run-time-{mode}", inputs=[square, np.int64([1, 2, 2, 1])], also=also, attributes={"mode": mode}, cannot=cannot, written_for=written_for)
        yield Case(f"at-run-time-static-{mode}", inputs=[square, np.int64([1, 2, 2, 1])], attributes={"mode": mode}, cannot=cannot, written_for=written_for, shapes="static")
        yield Case(f"constant-{mode}", inputs=[square, np.int64([0, 2, 0, 1])], constants=(1,), attributes={"mode": mode}, cannot=cannot, written_for=written_for)
    yield Case("wrap-several-times", inputs=[x, np.int64([0, 7, 5, 4])], constants=(1,), attributes={"mode": "wrap"}, written_for=19, opsets=range(9, 19))
    for widths in ([1, 2, 0, 4], [0, 0, 2, 3], [0, 1, 0, 0]):
        yield Case(f"wrap-within-{widths[0]}{widths[1]}", inputs=[square, np.int64(widths)], constants=(1,), shapes="static", attributes={"mode": "wrap"}, written_for=19, opsets=range(9, 19))
    yield Case("wrap-cut-off", inputs=[square, np.int64([-1, 3, 2, -2])], attributes={"mode": "wrap"}, written_for=19, opsets=range(9, 19))
    for dtype in (np.int64, np.float64, np.uint8, np.bool_, np.float16):
        value = np.array(1).astype(dtype)
        yield Case(f"at-run-time-{np.dtype(dtype)}", inputs=[x.astype(dtype), pads], written_for=13, opsets=range(9, 13))
        yield Case(f"at-run-time-value-{np.dtype(dtype)}", inputs=[x.astype(dtype), pads, value], written_for=13, opsets=range(9, 13))
    yield Case("int64-below-11", inputs=[x.astype(np.int64), pads, np.int64(2**60 + 1)], constants=(1, 2), written_for=13, opsets=[9, 10])
    text = np.array([["a", "b"]], dtype=object)
    yield Case("text", inputs=[text, pads], written_for=13, opsets=[9, 10], refuse="runtimes pad no text")
    yield Case("axes-computed", inputs=[x, np.int64([1, 2]), np.float32(5), np.int64([1])], also=[[x, np.int64([0, 3]), np.float32(-1), np.int64([-2])]], written_for=18)
    yield Case("axes-computed-pads-constant", inputs=[x, np.int64([1, 2]), np.float32(5), np.int64([1])], constants=(1, 2), also=[[x, np.int64([1, 2]), np.float32(5), np.int64([-2])]], written_for=18)
    yield Case("axes-computed-all", inputs=[x, np.int64([0, 1, 1, 2]), None, np.int64([1, 0])], attributes={"mode": "edge"}, written_for=18)
    yield Case("axes-computed-wrap", inputs=[x, np.int64([1, 2]), None, np.int64([-1])], attributes={"mode": "wrap"}, written_for=19, opsets=range(9, 19))
    yield Case("unknown-rank-below-11", inputs=[x, pads], written_for=13, opsets=[9, 10], shapes="unranked", refuse="rank")

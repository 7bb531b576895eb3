# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Dropout outside training: nothing is dropped.

Source: ONNX Dropout-7, Dropout-12.
"""
import numpy as np

from definition import Case


def define(data, ratio=None, training_mode=None, **_):
    return data, np.ones(data.shape, bool)


def only_data(data, *_, **__):
    return data


def cases():
    gone = {"openvino": "its Dropout loses the sizes of its input"}
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    half, off = np.float32(0.5), np.bool_(False)
    yield Case("ratio", inputs=[x, half], written_for=12, define=only_data, cannot=gone)
    yield Case("ratio-mask", inputs=[x, half], written_for=12, cannot=gone)
    yield Case("no-ratio-mask", inputs=[x], written_for=13, cannot=gone)
    yield Case("off", inputs=[x, half, off], constants=(1, 2), written_for=12, define=only_data, cannot=gone)
    yield Case("off-mask", inputs=[x, half, off], constants=(2,), attributes={"seed": 3}, written_for=12, cannot=gone)
    yield Case("off-without-ratio", inputs=[x, None, off], constants=(2,), written_for=13, define=only_data, cannot=gone)
    yield Case("attribute", inputs=[x], attributes={"ratio": 0.25}, written_for=7, define=only_data, cannot=gone)
    # What is drawn at random nobody can compare, but with a ratio of 0 nothing is dropped, and with one of 1 all.
    none, all_, on = np.float32(0), np.float32(1), np.bool_(True)
    nothing = lambda data, *_, **__: (np.zeros_like(data), np.zeros(data.shape, bool))
    for dtype in (np.float32, np.float64, np.float16):
        some = (x - 2).astype(dtype)
        yield Case(f"off-at-run-time-{np.dtype(dtype)}", inputs=[some, half, off], also=[[some, none, on]], written_for=12, cannot=gone)
        yield Case(f"nothing-left-{np.dtype(dtype)}", inputs=[some, all_, on], written_for=12, define=nothing, opsets=range(9, 12), cannot=gone)
    yield Case("off-at-run-time-without-ratio", inputs=[x, None, off], attributes={"seed": 3}, written_for=13, opsets=range(9, 13), define=only_data, cannot=gone)
    yield Case("training", inputs=[x, none, on], constants=(2,), written_for=12, cannot=gone)

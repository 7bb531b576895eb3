# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::DFT: the discrete Fourier transform of one axis; real and imaginary parts lie in the last.

Source: ONNX DFT-17, DFT-20.
"""
import numpy as np

from definition import Case


def define(x, length=None, axis=-2, *, inverse=0, onesided=0):
    values = x[..., 0] + (1j * x[..., 1] if x.shape[-1] == 2 else 0)
    axis = int(axis) + (1 if int(axis) < 0 else 0)
    n = None if length is None else int(length)
    result = np.fft.ifft(values, n, axis) if inverse else np.fft.fft(values, n, axis)
    if onesided:
        result = np.take(result, range(result.shape[axis] // 2 + 1), axis)
    return np.stack([result.real, result.imag], -1).astype(x.dtype)


def cases():
    random = np.random.default_rng(6)
    x = random.normal(size=(2, 8, 4, 1)).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "The products are summed in another order.", "opsets": range(17, 27), "shapes": "static"}
    yield Case("attribute", inputs=[x], attributes={"axis": 1}, written_for=17, **near)
    yield Case("attribute-default", inputs=[x], written_for=17, define=lambda x: define(x, axis=1), **near)
    yield Case("input", inputs=[x, None, np.int64(1)], constants=(2,), written_for=20, **near)
    at_run_time = {**near, "written_for": 20, "cannot": {"openvino": "it transforms the default axis"}}
    with_imaginary = random.normal(size=(3, 5, 2)).astype(np.float32)
    for axis in (0, 1, 2, -2, -3):
        yield Case(f"axis-at-run-time{axis}", inputs=[x, None, np.int64(axis)], **at_run_time)
        yield Case(f"axis-at-run-time-of-any-shape{axis}", inputs=[x, None, np.int64(axis)], **{**at_run_time, "shapes": [("a", "b", "c", 1), None, ()], "output_shapes": [("d", "e", "f", 2)]})
    for axis in (0, 1, -3):
        yield Case(f"axis-at-run-time-inverse{axis}", inputs=[with_imaginary, None, np.int64(axis)], attributes={"inverse": 1}, **at_run_time)
    yield Case("axis-at-run-time-length", inputs=[with_imaginary, np.int64(7), np.int64(0)], attributes={"inverse": 1}, **at_run_time)
    yield Case("axis-at-run-time-onesided", inputs=[x, None, np.int64(2)], attributes={"onesided": 1}, **at_run_time)
    yield Case("input-default", inputs=[x], attributes={"onesided": 1}, written_for=20, cannot={"openvino": "it transforms another axis"}, **near)

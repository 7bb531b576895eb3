# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::STFT: the Fourier transforms of the frames of a signal, which begin a step apart and are multiplied by a window.

Source: ONNX STFT-17.
"""
import numpy as np

from definition import Case


def define(signal, step, window=None, length=None, *, onesided=1):
    values = signal[..., 0] + (1j * signal[..., 1] if signal.shape[-1] == 2 else 0)
    size = int(length) if length is not None else len(window)
    frames = np.stack([values[:, start : start + size] for start in range(0, values.shape[1] - size + 1, int(step))], 1)
    result = np.fft.fft(frames * (1 if window is None else window))
    if onesided:
        result = result[..., : size // 2 + 1]
    return np.stack([result.real, result.imag], -1).astype(signal.dtype)


def cases():
    random = np.random.default_rng(13)
    real, complex_signal = random.normal(size=(2, 50, 1)).astype(np.float32), random.normal(size=(2, 50, 2)).astype(np.float32)
    window = np.hanning(16).astype(np.float32)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "The products are summed in another order.", "opsets": range(9, 17), "written_for": 17}
    for kind in ("static", "some"):
        constants = lambda *places, kind=kind: places if kind == "static" else ()

        def shapes(x, rest, kind=kind):
            return "static" if kind == "static" else [("batch", "length", x.shape[-1]), (), *rest]

        for step in (3, 16, 17):
            yield Case(f"{kind}-window-{step}", inputs=[real, np.int64(step), window], constants=constants(1, 2), shapes=shapes(real, [("size",)]), **near)
        yield Case(f"{kind}-length", inputs=[real, np.int64(5), None, np.int64(15)], constants=constants(1, 3), shapes=shapes(real, ["static", ()]), **near)
        yield Case(f"{kind}-both", inputs=[real, np.int64(5), window, np.int64(16)], constants=constants(1, 3), shapes=shapes(real, [("size",), ()]), **near)
        yield Case(f"{kind}-two-sides", inputs=[real, np.int64(7), window], attributes={"onesided": 0}, constants=constants(1), shapes=shapes(real, [("size",)]), **near)
        yield Case(f"{kind}-complex", inputs=[complex_signal, np.int64(7), window], attributes={"onesided": 0}, constants=constants(1), shapes=shapes(complex_signal, [("size",)]), **near)
    yield Case("whole", inputs=[real, np.int64(1), None, np.int64(50)], constants=(1, 3), shapes="static", **near)
    exact = {**near, "rtol": 1e-13, "atol": 1e-13, "cannot": {"openvino": "it computes double as float"}}
    yield Case("double", inputs=[real.astype(np.float64), np.int64(5), window.astype(np.float64)], constants=(1,), shapes="static", **exact)
    for text, inputs in (
        ("the step between its frames is not positive", [real, np.int64(0), window]),
        ("its frames do not fit into the signal", [real, np.int64(1), None, np.int64(51)]),
        ("nothing says how long its frames are", [real, np.int64(1)]),
    ):
        constants = tuple(index for index in (1, 3) if index < len(inputs))
        yield Case(f"refused-{text.replace(' ', '-')}", inputs=inputs, constants=constants, shapes="static", refuse=text, opsets=[16], written_for=17,
                   expected=[np.zeros((2, 1, 9, 2), np.float32)])

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
    if inverse and onesided:
        return np.fft.irfft(values, n, axis)[..., None].astype(x.dtype)
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
    yield Case("axis-at-run-time-back", inputs=[with_imaginary, None, np.int64(1)], attributes={"inverse": 1, "onesided": 1}, **at_run_time)
    yield Case("input-default", inputs=[x], attributes={"onesided": 1}, written_for=20, cannot={"openvino": "it transforms another axis"}, **near)

    # Before there was the operator: a product.
    older = {"rtol": 1e-5, "atol": 1e-5, "why": "The products are summed in another order.", "opsets": range(9, 17), "written_for": 17}
    cube = random.normal(size=(2, 6, 5, 2)).astype(np.float32)
    one_side = np.fft.rfft(random.normal(size=(3, 8))).astype(np.complex64)
    for kind in ("static", "some"):
        shapes = lambda x, kind=kind: "static" if kind == "static" else [("a", *("b", "c")[: x.ndim - 2], x.shape[-1])]
        for axis in (0, 1, 2, -2):
            for parts in (1, 2):
                yield Case(f"product-{kind}{axis}-{parts}", inputs=[cube[..., :parts].copy()], attributes={"axis": axis}, shapes=shapes(cube[..., :parts]), **older)
        yield Case(f"product-{kind}-inverse", inputs=[cube], attributes={"axis": 1, "inverse": 1}, shapes=shapes(cube), **older)
        real = cube[..., :1].copy()
        for length in (4, 5, 6, 9):
            yield Case(f"product-{kind}-length-{length}", inputs=[cube, np.int64(length)], attributes={"axis": 1}, constants=(1,), shapes=[*shapes(cube), "static"] if kind == "some" else "static", **older)
            yield Case(f"product-{kind}-length-{length}-onesided", inputs=[real, np.int64(length)], attributes={"axis": 1, "onesided": 1}, constants=(1,),
                       shapes=[*shapes(real), "static"] if kind == "some" else "static", **older)
        yield Case(f"product-{kind}-onesided", inputs=[real], attributes={"axis": 2, "onesided": 1}, shapes=shapes(real), **older)
        sides = np.stack([one_side.real, one_side.imag], -1)
        yield Case(f"product-{kind}-one-side-back", inputs=[sides], attributes={"inverse": 1, "onesided": 1}, shapes=shapes(sides), **older)
    for length, count in ((8, 5), (9, 5)):
        yield Case(f"product-one-side-back-{length}", inputs=[sides[:, :count].copy(), np.int64(length)], attributes={"inverse": 1, "onesided": 1}, constants=(1,), shapes="static", **older)
    for length in (4, 6, 9):
        yield Case(f"product-length-at-run-time-{length}", inputs=[cube, np.int64(length)], attributes={"axis": 1}, shapes="static", **older)
        yield Case(f"product-length-at-run-time-{length}-onesided", inputs=[real, np.int64(length)], attributes={"axis": 1, "onesided": 1}, shapes=[("a", "b", "c", 1), "static"], **older)
    yield Case("product-long", inputs=[random.normal(size=(2, 1000, 1)).astype(np.float32)], shapes="static", **{**older, "atol": 1e-4, "why": "Sums of a thousand products."})
    yield Case("product-of-20", inputs=[cube, None, np.int64(-3)], constants=(2,), shapes="static", **{**older, "written_for": 20})
    yield Case("product-of-20-default", inputs=[cube], shapes="static", **{**older, "written_for": 20})
    exact = {**older, "rtol": 1e-13, "atol": 1e-13, "cannot": {"openvino": "it computes double as float"}}
    yield Case("product-double", inputs=[cube.astype(np.float64)], attributes={"axis": 1, "inverse": 1}, shapes="static", **exact)
    for text, values, attributes in (
        ("its last dimension is neither 1 nor 2", [np.zeros((2, 3, 3), np.float32)], {}),
        ("its length is not positive", [cube, np.int64(0)], {}),
        ("one frequency makes up no signal", [cube[:, :1].copy()], {"inverse": 1, "onesided": 1}),
        ("6 frequencies are not one side of those of a signal of length 8", [cube, np.int64(8)], {"inverse": 1, "onesided": 1}),
    ):
        yield Case(f"product-refused-{text.replace(' ', '-')}", inputs=values, attributes=attributes, constants=tuple(range(1, len(values))), shapes="static", refuse=text, opsets=[16], written_for=17)

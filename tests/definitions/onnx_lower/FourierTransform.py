# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx_lower::FourierTransform: the transforms of torch.fft and tf.signal, of real numbers and of complex ones as pairs.

Source: the documentation of torch.fft; NumPy's transforms are the same but for their default axes.
"""
import numpy as np

from definition import Case, definition_of

_complex = definition_of("onnx_lower", "_complex")


def define(x, sizes=None, dim=None, norm=None, *, kind, of_complex=0, axes=None):
    numbers = _complex.joined(x) if of_complex else x.astype(np.float64)
    chosen = list(dim) if dim is not None else axes
    lengths = None if sizes is None else [int(size) for size in np.ravel(sizes)]
    if chosen is None:
        chosen = list(range(-len(lengths), 0)) if lengths else list(range(-numbers.ndim, 0))
    if lengths is not None:
        last_of_real = 2 * (numbers.shape[chosen[-1]] - 1) if kind in ("irfft", "hfft") else numbers.shape[chosen[-1]]
        whole = [numbers.shape[axis] for axis in chosen[:-1]] + [last_of_real]
        lengths = [size if size > 0 else own for size, own in zip(lengths, whole)]
    word = None if norm is None else (norm.item() if isinstance(norm, np.ndarray) else norm)
    if kind.endswith("hfft"):
        result = of_half_signal(kind, numbers, lengths or [None] * len(chosen), chosen, word)
    else:
        result = getattr(np.fft, kind + "n")(numbers, lengths, chosen, word)
    return result.astype(x.dtype) if kind in ("irfft", "hfft") else _complex.apart(result, x)


def of_half_signal(kind, numbers, lengths, axes, norm):
    """NumPy has these along one axis; along the others go the usual transforms, before it for a real result and behind it for a real signal."""
    pairs = list(zip(axes, lengths))
    for axis, length in pairs[-1:] if kind == "ihfft" else pairs[:-1]:
        numbers = np.fft.ihfft(numbers, length, axis, norm) if kind == "ihfft" else np.fft.fft(numbers, length, axis, norm)
    for axis, length in pairs[:-1] if kind == "ihfft" else pairs[-1:]:
        numbers = np.fft.ifft(numbers, length, axis, norm) if kind == "ihfft" else np.fft.hfft(numbers, length, axis, norm)
    return numbers


def cases():
    close = {"rtol": 1e-4, "atol": 2e-4, "why": "sums of some dozens of products with rounded cosines", "opsets": (11, 13, 17, 20, 26)}
    real, pairs = _complex.drawn(3, 2, 6, 9)[..., 0], _complex.drawn(4, 2, 6, 9)
    for kind, given, of_complex in (("fft", real, 0), ("fft", pairs, 1), ("ifft", real, 0), ("ifft", pairs, 1), ("rfft", real, 0), ("irfft", pairs, 1), ("hfft", pairs, 1), ("ihfft", real, 0)):
        name = f"{kind}-of-{'complex' if of_complex else 'real'}"
        meant = {"kind": kind, "of_complex": of_complex}
        yield Case(name, inputs=[given], attributes={**meant, "axes": [-1]}, shapes="static", **close)
        yield Case(f"{name}-2d", inputs=[given], attributes={**meant, "axes": [-2, -1]}, shapes="static", **close)
        yield Case(f"{name}-all", inputs=[given], attributes=meant, shapes="static", **close)
        for size in ([12], [5], [8]):
            yield Case(f"{name}-size-{size[0]}", inputs=[given, np.int64(size)], constants=[1], attributes={**meant, "axes": [-1]}, shapes="static", **close)
        yield Case(f"{name}-sizes", inputs=[given, np.int64([4, -1]), np.int64([0, 1])], constants=[1, 2], attributes=meant, shapes="static", **close)
        for norm in ("ortho", "forward", "backward"):
            yield Case(f"{name}-{norm}", inputs=[given, None, np.int64([1, 2]), np.array(norm)], constants=[2, 3], attributes=meant, shapes="static", **close)
    dynamic = {"shapes": [("a", "b", "c"), (1,), ()], "output_shapes": [("a", "b", "d", 2)], **close}
    yield Case("dynamic", inputs=[real], attributes={"kind": "rfft", "axes": [-2, -1]}, **{**dynamic, "shapes": [("a", "b", "c")]})
    yield Case("double", inputs=[pairs.astype(np.float64)], attributes={"kind": "irfft", "of_complex": 1, "axes": [-2, -1]}, shapes="static", **{**close, "rtol": 1e-6, "atol": 1e-6, "why": "ONNX Runtime computes the angles of its DFT of double in float"})
    yield Case("unknown-size", inputs=[pairs], attributes={"kind": "irfft", "of_complex": 1, "axes": [-1]}, shapes=[("a", "b", "c", 2)], output_shapes=[("a", "b", "d")], opsets=(17,), refuse="dimension 2")

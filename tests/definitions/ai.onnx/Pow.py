# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Pow: powers, in the type of the base.

Source: ONNX Pow-12. Of integers the fraction goes; whole powers of them wrap, as NumPy's do.
"""
import numpy as np

from definition import Case


def define(x, y):
    if x.dtype.kind == "i" and y.size == 1 and y >= 0 and y == np.floor(y):
        with np.errstate(over="ignore"):
            return np.power(x, y.astype(x.dtype))
    power = np.power(x.astype(np.float64), y.astype(np.float64))
    return power.astype(x.dtype)


def cases():
    for base in (np.int32, np.int64, np.float32, np.float64):
        for exponent in (np.int32, np.int64, np.float32, np.float64):
            if base == exponent and base in (np.float32, np.float64):
                continue
            x, y = np.array([[1, 2, 3], [-2, 7, 10]], base), np.array([0, 2, 3], exponent)
            yield Case(f"{np.dtype(base)}-{np.dtype(exponent)}", inputs=[x, y], written_for=13, rtol=1e-6, why="Single precision differs in the last bits.")
    yield Case("root", inputs=[np.int32([0, 1, 4, 10]), np.float32(0.5)], written_for=13)
    yield Case("negative-exponent", inputs=[np.int64([1, 2, -1]), np.int32(-1)], written_for=13, cannot={"openvino": "it rounds the fraction another way"})
    # From 12 on it is the node itself, of which ONNX Runtime's kernel has squares and cubes as products and all else in double.
    cannot = {"openvino": "it computes 64-bit integers in 32 bits, and powers in float"}
    for base in (np.int32, np.int64):
        far = np.array([[np.iinfo(base).max, np.iinfo(base).min, 2**17 + 1], [-3, 7, 0]], base)
        for exponent in (base(1), base(2), base([3]), np.float32(4), np.float64([[7]]), base(63), np.int32(64)):
            name = f"far-from-zero-{np.dtype(base)}-{exponent.dtype}-{exponent.ndim}-{int(exponent.sum())}"
            yield Case(name, inputs=[far, exponent], constants=[1], written_for=13, opsets=range(7, 12), cannot=cannot)
        # An exponent that only the run knows.
        yield Case(f"computed-exponent-{np.dtype(base)}", inputs=[base([[-3, 7, 0]]), base(5)], written_for=13, opsets=range(7, 27), rtol=1e-6,
                   why="OpenVINO computes in float.")
    yield Case("number-and-list", inputs=[np.int64(5), np.int64([2])], constants=[1], written_for=13, opsets=range(7, 27))

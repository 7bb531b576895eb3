# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Complex numbers as pairs in a last dimension of size 2, and back."""
import numpy as np

from definition import Case


def joined(pairs):
    return pairs[..., 0].astype(np.float64) + 1j * pairs[..., 1]


def apart(numbers, like):
    return np.stack([numbers.real, numbers.imag], -1).astype(like.dtype)


def drawn(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal((*shape, 2)).astype(dtype)


def cases_of_one(**rounding):
    """For what is computed of each number alone. `rounding`: how right the results are, and why."""
    for dtype in (np.float32, np.float64):
        x = drawn(1, 3, 4, dtype=dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[x], also=[[x[:0]]], shapes=[("a", "b", 2)], **rounding)
    yield Case("scalar", inputs=[drawn(2)], shapes="static", **rounding)

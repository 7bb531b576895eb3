# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::RotaryEmbedding: pairs of a head's components, turned by an angle that depends on the position.

ONNX Runtime's kernels take scale and is_packed_batching, and they change nothing.

Source: ONNX Runtime's contrib operator RotaryEmbedding.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def rotate(x, cosines, sines, interleaved):
    """x: (..., S, H); cosines and sines: (S, half of what is turned of H)."""
    half = cosines.shape[-1]
    y = x.astype(np.float64).copy()
    first = np.s_[..., 0 : 2 * half : 2] if interleaved else np.s_[..., :half]
    second = np.s_[..., 1 : 2 * half : 2] if interleaved else np.s_[..., half : 2 * half]
    y[first] = x[first] * cosines - x[second] * sines
    y[second] = x[first] * sines + x[second] * cosines
    return y


def define(x, position_ids, cos_cache, sin_cache, interleaved=0, num_heads=0, rotary_embedding_dim=0, scale=1.0, is_packed_batching=0):
    heads = x
    if x.ndim == 3:
        size = x.shape[2] // num_heads if num_heads else 2 * cos_cache.shape[1]
        heads = x.reshape(*x.shape[:2], -1, size).transpose(0, 2, 1, 3)
    batch, _, length, _ = heads.shape
    if position_ids.ndim == 1:
        position_ids = np.broadcast_to(position_ids[0] + np.arange(length), (batch, length))
    y = np.stack([rotate(heads[b], cos_cache[position_ids[b]], sin_cache[position_ids[b]], interleaved) for b in range(batch)])
    return (y.transpose(0, 2, 1, 3).reshape(x.shape) if x.ndim == 3 else y).astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    angles = numbers.floats(20, 4)
    caches = [np.cos(angles), np.sin(angles)]
    ids, offset = np.int64([[0, 1, 2, 3, 4], [3, 4, 5, 6, 7]]), np.int64([2])
    for interleaved in (0, 1):
        attributes = {"interleaved": interleaved}
        flat = numbers.floats(2, 5, 32)
        yield Case(f"flat-{interleaved}", inputs=[flat, ids, *caches], attributes=attributes, constants=[2, 3], **tolerance)
        yield Case(f"flat-offset-{interleaved}", inputs=[flat, offset, *caches], attributes=attributes, constants=[2, 3], **tolerance)
        yield Case(f"heads-{interleaved}", inputs=[numbers.floats(2, 4, 5, 8), ids, *caches], attributes=attributes, **tolerance)
        partial = {"interleaved": interleaved, "num_heads": 4, "rotary_embedding_dim": 8}
        yield Case(f"partial-{interleaved}", inputs=[numbers.floats(2, 5, 64), ids, *caches], attributes=partial, **tolerance)
    ignored = {"scale": 2.0, "is_packed_batching": 1}
    yield Case("ignored", inputs=[numbers.floats(2, 4, 5, 8), ids, *caches], attributes=ignored, **tolerance)
    yield Case("unknown-cache", inputs=[flat, ids, *caches], refuse="dimension 1 of input 2 (cos_cache) is not known")

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::RotaryEmbedding: pairs of elements turned by angles that depend on their position.

Source: ONNX RotaryEmbedding-23.
"""
import numpy as np

from definition import Case


def define(x, cos, sin, positions=None, *, interleaved=0, num_heads=0, rotary_embedding_dim=0):
    rows = x.reshape(*x.shape[:2], num_heads, -1).transpose(0, 2, 1, 3) if x.ndim == 3 else x
    size = rotary_embedding_dim or rows.shape[-1]
    rows, still = rows[..., :size], rows[..., size:]
    cos, sin = (table[:, None] if positions is None else table[positions][:, None] for table in (cos, sin))
    a, b = (rows[..., 0::2], rows[..., 1::2]) if interleaved else np.split(rows, 2, -1)
    turned = (a * cos - b * sin, b * cos + a * sin)
    result = np.stack(turned, -1).reshape(rows.shape) if interleaved else np.concatenate(turned, -1)
    result = np.concatenate([result, still], -1)
    return (result.transpose(0, 2, 1, 3).reshape(x.shape) if x.ndim == 3 else result).astype(x.dtype)


def cases():
    random = np.random.default_rng(12)
    x = random.normal(size=(2, 3, 4, 8)).astype(np.float32)
    angles = random.uniform(0, 6, size=(10, 4))
    positions = np.int64([[0, 1, 2, 3], [5, 6, 7, 9]])
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "A sum of two products may be rounded once or twice.", "opsets": range(10, 27)}
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    inputs = [x, cos, sin, positions]
    yield Case("halves", inputs=inputs, cannot={"openvino": "its RotaryEmbedding wants a known last dimension"}, **near)
    yield Case("interleaved", inputs=inputs, attributes={"interleaved": 1}, cannot={"openvino": "its RotaryEmbedding wants a known last dimension"}, **near)

    # The sizes of the heads are known.
    near["opsets"] = range(9, 27)
    yield Case("known-size", inputs=inputs, shapes=[("b", "h", "s", 8), "static", "static", "symbolic"], **near)
    yield Case("static", inputs=inputs, shapes="static", constants=(1, 2), **near)
    caches = [cos[positions], sin[positions]]
    yield Case("no-positions", inputs=[x, *caches], shapes="static", **near)
    rows = np.ascontiguousarray(x.transpose(0, 2, 1, 3).reshape(2, 4, 24))
    for kind, shape in (("static", (2, 4, 24)), ("known-size", ("b", "s", 24))):
        yield Case(f"rank-3-{kind}", inputs=[rows, *inputs[1:]], attributes={"num_heads": 3}, shapes=[shape, "static", "static", "symbolic"], **near)
        yield Case(f"rank-3-part-{kind}", inputs=[rows, cos[:, :2].copy(), sin[:, :2].copy(), positions], attributes={"num_heads": 3, "rotary_embedding_dim": 4},
                   shapes=[shape, "static", "static", "symbolic"], **near)
    yield Case("part", inputs=[x, cos[:, :3].copy(), sin[:, :3].copy(), positions], attributes={"rotary_embedding_dim": 6}, shapes=[("b", "h", "s", 8), "static", "static", "symbolic"],
               **near)

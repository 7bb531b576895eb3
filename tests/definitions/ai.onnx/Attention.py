# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Attention: softmax(q k^T / sqrt(d) + mask) v, for each head.

Source: ONNX Attention-23, Attention-25.
"""
import numpy as np

from definition import Case


def define(q, k, v, mask=None, past_key=None, past_value=None, lengths=None, *, is_causal=0, scale=None, softcap=0.0, q_num_heads=None, kv_num_heads=None,
           softmax_precision=None, qk_matmul_output_mode=None, left_window_size=-1, right_window_size=-1):
    rank, dtype = q.ndim, q.dtype
    if rank == 3:
        split = lambda x, heads: x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)
        q, k, v = split(q, q_num_heads), split(k, kv_num_heads), split(v, kv_num_heads)
    before = 0
    if past_key is not None:
        before = past_key.shape[2]
        k, v = np.concatenate([past_key, k], 2), np.concatenate([past_value, v], 2)
    keys, values = k, v
    repeats = q.shape[1] // k.shape[1]
    q, k, v = q.astype(np.float64), np.repeat(k, repeats, 1).astype(np.float64), np.repeat(v, repeats, 1).astype(np.float64)
    scores = q @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    shown = [scores]
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    shown.append(scores)
    if mask is not None:
        bias = np.where(mask, 0, -np.inf) if mask.dtype == bool else mask
        missing = scores.shape[-1] - bias.shape[-1]
        scores = scores + np.pad(bias, [(0, 0)] * (bias.ndim - 1) + [(0, missing)], constant_values=-np.inf)
    column = np.arange(scores.shape[-1])
    place = np.arange(scores.shape[-2])[:, None] + (before if lengths is None else lengths[:, None, None, None] - scores.shape[-2])
    hidden = np.zeros(scores.shape, bool)
    if lengths is not None:
        hidden |= column >= lengths[:, None, None, None]
    if is_causal or right_window_size >= 0:
        hidden |= column > place + (0 if is_causal else right_window_size)
    if left_window_size >= 0:
        hidden |= column < place - left_window_size
    scores = np.where(hidden, -np.inf, scores)
    shown.append(scores)
    greatest = scores.max(-1, keepdims=True)
    # Where all keys are masked, the row is zero.
    weights = np.where(np.isneginf(greatest), 0, np.exp(scores - np.where(np.isneginf(greatest), 0, greatest)))
    total = weights.sum(-1, keepdims=True)
    result = weights / np.where(total == 0, 1, total) @ v
    y = (result.transpose(0, 2, 1, 3).reshape(result.shape[0], result.shape[2], -1) if rank == 3 else result).astype(dtype)
    if qk_matmul_output_mode is not None:
        shown.append(weights / np.where(total == 0, 1, total))
        return y, None, None, shown[qk_matmul_output_mode].astype(dtype)
    return y if past_key is None else (y, keys, values)


def cases():
    random = np.random.default_rng(11)
    normal = lambda *shape: random.normal(size=shape).astype(np.float32)
    q, k, v = normal(2, 4, 5, 8), normal(2, 4, 6, 8), normal(2, 4, 6, 8)
    near = {"rtol": 1e-5, "atol": 1e-5, "why": "Sums and exponentials are rounded in another order.", "opsets": range(12, 27)}
    yield Case("plain", inputs=[q, k, v], **near)
    yield Case("mask", inputs=[q, k, v, normal(5, 6)], **near)
    yield Case("causal", inputs=[q, k, v], attributes={"is_causal": 1, "scale": 0.5}, **near)
    yield Case("grouped", inputs=[q, k[:, :2].copy(), v[:, :2].copy()], **near)
    merged = lambda x: x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)
    rows = [merged(q), merged(k), merged(v)]
    yield Case("rank-3", inputs=rows, attributes={"q_num_heads": 4, "kv_num_heads": 4}, **near)

    # The numbers of heads and their sizes are known, and lengths are or not. From 23 on it is the runtimes' own.
    near["opsets"] = range(9, 23)
    seen = np.random.default_rng(1).random((2, 1, 5, 6)) < 0.5
    seen[0, 0, 2] = False
    seen[1, 0, 0] = [False, True, True, True, True, True]
    open_row = np.float32(np.where(seen, 0.5, -np.inf))
    past = [normal(2, 2, 3, 8), normal(2, 2, 3, 8)]
    few, other = normal(2, 2, 5, 8), normal(2, 2, 5, 8)
    for kind in ("static", "some"):

        def shapes(inputs, kind=kind):
            if kind == "static":
                return "static"
            return ["symbolic" if x is None else ("b", x.shape[1], f"length_{i}", x.shape[3]) if x.ndim == 4 and x.shape[1] > 1 and x.shape[3] == 8
                    else ("b", f"length_{i}", x.shape[2]) if x.ndim == 3 else "symbolic" for i, x in enumerate(inputs)]

        def case(name, inputs, **fields):
            return Case(f"{kind}-{name}", inputs=inputs, shapes=shapes(inputs), **{**near, **fields})

        heads = {"q_num_heads": 4, "kv_num_heads": 4}
        yield case("plain", [q, k, v])
        yield case("scale", [q, k, v], attributes={"scale": 0.3})
        yield case("causal", [q, k, v], attributes={"is_causal": 1})
        yield case("softcap", [q, k, v], attributes={"softcap": 1.5})
        yield case("precision", [q, k, v], attributes={"softmax_precision": 11})
        yield case("float-mask", [q, k, v, open_row])
        yield case("bool-mask", [q, k, v, seen])
        yield case("constant-mask", [q, k, v, seen], constants=(3,))
        yield case("constant-open-mask", [q, k, v, np.ones((5, 6), bool)], constants=(3,), attributes={"is_causal": 1})
        yield case("mask-and-causal", [q, k, v, seen], attributes={"is_causal": 1})
        yield case("short-mask", [q, k, v, seen[..., :4].copy()])
        yield case("past", [few, few, other, None, *past], attributes={"is_causal": 1})
        yield case("past-and-mask", [few, few, other, np.random.default_rng(2).random((5, 8)) < 0.7, *past])
        yield case("last-token", [few[:, :, :1].copy(), few[:, :, 1:2].copy(), other[:, :, :1].copy(), None, *past], attributes={"is_causal": 1})
        for name, more in (("", {}), ("-causal", {"is_causal": 1})):
            yield case(f"grouped{name}", [q, k[:, :2].copy(), v[:, :2].copy()], attributes=more)
            yield case(f"rank-3{name}", rows, attributes={**heads, **more})
        yield case("grouped-mask", [q, k[:, :2].copy(), v[:, :2].copy(), seen])
        yield case("grouped-rank-3", [rows[0], *(merged(x[:, :2]) for x in (k, v))], attributes={"q_num_heads": 4, "kv_num_heads": 2})
        yield case("grouped-past", [q, k[:, :2].copy(), v[:, :2].copy(), None, *past], attributes={"is_causal": 1})
        shared = [q, k[:, :2].copy(), v[:, :2].copy()]
        yield case("grouped-mask-of-two-dimensions", [*shared, seen[1, 0]])
        yield case("grouped-mask-of-a-row", [*shared, seen[1, 0, :1].copy()])
        yield case("grouped-mask-after-past", [*shared, np.random.default_rng(3).random((5, 9)) < 0.3, *past], attributes={"is_causal": 1})
        yield case("grouped-window", shared, attributes={"left_window_size": 0, "is_causal": 1})
        token = [merged(x[:, :, :1]) for x in shared]
        grouped_heads = {"q_num_heads": 4, "kv_num_heads": 2}
        # Of three dimensions: the heads of a group lie beside each other. By the mask and by the place together the first query sees nothing.
        shared_rows = [merged(x) for x in shared]
        yield case("grouped-rank-3-causal", shared_rows, attributes={"is_causal": 1, **grouped_heads})
        yield case("grouped-rank-3-mask-and-causal", [*shared_rows, seen[1, 0]], attributes={"is_causal": 1, **grouped_heads})
        yield case("grouped-rank-3-float-mask-after-past", [*shared_rows, normal(5, 9), *past], attributes=grouped_heads)
        yield case("grouped-rank-3-mask-for-each-head", [*shared_rows, open_row], attributes=grouped_heads)
        yield case("grouped-rank-3-window", shared_rows, attributes={"left_window_size": 0, "is_causal": 1, **grouped_heads})
        first = [x[:1].copy() for x in (*rows, *shared_rows)]
        first_past = [x[:1].copy() for x in past]

        def of_one(name, inputs, kind=kind, **more):
            length_is_known = kind == "static"
            shapes = "static" if length_is_known else [x if x is None else (1, f"length_{i}", x.shape[2]) if x.ndim == 3 else "symbolic" for i, x in enumerate(inputs)]
            return Case(f"{kind}-batch-of-one{name}", inputs=inputs, shapes=shapes, **{**near, **more})

        yield of_one("", first[:3], attributes=heads)
        yield of_one("-causal", first[:3], attributes={**heads, "is_causal": 1})
        yield of_one("-after-past", [*first[3:], None, *first_past], attributes={**grouped_heads, "is_causal": 1})
        yield of_one("-mask", [*first[:3], seen[:1].copy()], attributes=heads)
        yield of_one("-grouped", first[3:], attributes=grouped_heads)
        yield of_one("-grouped-mask", [*first[3:], seen[1, 0]], attributes=grouped_heads)
        yield of_one("-shown", first[3:], attributes={**grouped_heads, "qk_matmul_output_mode": 3}, absent_outputs=(1, 2))
        yield case("grouped-rank-3-softcap", [shared_rows[0], shared_rows[1], merged(normal(2, 2, 6, 3))], attributes={"softcap": 1.5, **grouped_heads})
        yield case("token-of-rank-3", token, attributes=grouped_heads)
        yield case("token-of-rank-3-after-past", [*token, None, *past], attributes={"is_causal": 1, **grouped_heads})
        yield case("token-of-rank-3-and-mask", [*token, np.random.default_rng(4).random((2, 1, 1, 4)) < 0.3, *past], attributes=grouped_heads)
        half = [x.astype(np.float16) for x in (q, k, v)]
        yield case("float16", half, rtol=4e-3, atol=4e-3, why="Products are rounded to half precision.")
        lengths, long = np.int64([6, 3]), [normal(2, 2, 6, 8), normal(2, 2, 6, 8)]
        yield case("lengths", [q, k, v, None, None, None, lengths])
        yield case("lengths-and-causal", [q, *long, None, None, None, lengths], attributes={"is_causal": 1})
        yield case("left-window", [q, k, v], attributes={"left_window_size": 1, "is_causal": 1})
        yield case("right-window", [q, k, v], attributes={"right_window_size": 2})
        yield case("both-windows", [q, *long, seen], attributes={"left_window_size": 1, "right_window_size": 1})
        yield case("window-after-past", [few, few, other, None, *past], attributes={"left_window_size": 2})
        for mode in range(4):
            modes = {"qk_matmul_output_mode": mode, "softcap": 2.0}
            yield case(f"shown-{mode}", [q, *long], attributes=modes, absent_outputs=(1, 2))
            yield case(f"shown-{mode}-mask", [q, *long, seen], attributes=modes, absent_outputs=(1, 2))

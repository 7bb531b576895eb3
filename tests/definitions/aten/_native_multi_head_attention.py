# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::_native_multi_head_attention: nn.MultiheadAttention in one piece.

Source: PyTorch's transformers/attention.cpp.
"""
import numpy as np

from definition import Case


def define(query, key, value, size, head_count, weight, bias, out_weight, out_bias, mask=None, need_weights=True, average_weights=True, mask_type=None):
    size, head_count = int(size), int(head_count)

    def heads(x, which):
        part = slice(which * size, (which + 1) * size)
        projected = np.float64(x) @ np.float64(weight[part]).T + bias[part]
        return projected.reshape(*x.shape[:2], head_count, -1).transpose(0, 2, 1, 3)

    q, k, v = heads(query, 0), heads(key, 1), heads(value, 2)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(size / head_count)
    if mask is not None:
        left_out = mask.astype(bool)
        scores = np.where(left_out[:, None, None] if mask_type == 1 else left_out, -np.inf, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    result = (weights @ v).transpose(0, 2, 1, 3).reshape(query.shape) @ np.float64(out_weight).T + out_bias
    shown = (weights.mean(1) if average_weights else weights) if need_weights else np.zeros(0)
    return result.astype(query.dtype), shown.astype(query.dtype)


def parameters(size):
    numbers = np.random.default_rng(12)
    return [(numbers.standard_normal(shape) * 0.5).astype(np.float32) for shape in ((3 * size, size), (3 * size,), (size, size), (size,))]


NEAR = {"rtol": 1e-4, "atol": 1e-5, "why": "sums in another order"}


def masks():
    steps = np.triu(np.ones((5, 5), bool), 1)
    padding = np.arange(5)[None] >= np.array([[3], [5]])
    return {"steps": (steps, 0), "padding": (padding, 1), "numbers": (np.where(padding, np.float32(-np.inf), np.float32(0)), 1),
            "all": (np.broadcast_to(steps, (2, 2, 5, 5)).copy(), 2)}


def cases():
    x, y = np.random.default_rng(13).standard_normal((2, 2, 5, 8)).astype(np.float32)
    usual = [np.int64(8), np.int64(2), *parameters(8)]
    yes, no = np.bool_(True), np.bool_(False)
    constants = [3, 4, 5, 6, 7, 8, 10, 11, 12]
    yield Case("plain", inputs=[x, x, x, *usual], constants=constants, **NEAR)
    yield Case("other-keys", inputs=[x, y, y[:, :, ::-1].copy(), *usual, None, yes, no], constants=constants, **NEAR)
    yield Case("no-weights", inputs=[x, x, x, *usual, None, no, yes], constants=constants, cannot={"openvino": "a list without elements comes out as a number"}, **NEAR)
    for name, (mask, mask_type) in masks().items():
        yield Case(f"mask-of-{name}", inputs=[x, x, x, *usual, mask, yes, yes, np.int64(mask_type)], constants=constants, **NEAR)
    yield Case("unknown-mask", inputs=[x, x, x, *usual, masks()["steps"][0]], constants=constants, refuse="it does not know what the mask is about")

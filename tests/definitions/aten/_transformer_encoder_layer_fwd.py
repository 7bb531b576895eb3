# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::_transformer_encoder_layer_fwd: nn.TransformerEncoderLayer in one piece.

Source: PyTorch's transformers/transformer.cpp.
"""
import math

import numpy as np

from definition import Case, definition_of

attention = definition_of("aten", "_native_multi_head_attention")


def _norm(x, weight, bias, least):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + least) * weight + bias


def _gelu(x):
    return x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2


def define(src, size, heads, weight, bias, out_weight, out_bias, use_gelu, norm_first, eps, weight_1, bias_1, weight_2, bias_2, inner_weight, inner_bias, last_weight, last_bias,
           mask=None, mask_type=None):
    def attended(x):
        return attention.define(x, x, x, size, heads, weight, bias, out_weight, out_bias, mask, False, True, mask_type)[0]

    def fed(x):
        inner = x @ np.float64(inner_weight).T + inner_bias
        return (_gelu(inner) if use_gelu else np.maximum(inner, 0)) @ np.float64(last_weight).T + last_bias

    x = np.float64(src)
    if norm_first:
        x = x + attended(_norm(x, weight_1, bias_1, eps))
        x = x + fed(_norm(x, weight_2, bias_2, eps))
    else:
        x = _norm(x + attended(x), weight_1, bias_1, eps)
        x = _norm(x + fed(x), weight_2, bias_2, eps)
    return x.astype(src.dtype)


def cases():
    numbers = np.random.default_rng(14)
    x = numbers.standard_normal((2, 5, 8)).astype(np.float32)
    rest = [(numbers.standard_normal(shape) * 0.5).astype(np.float32) for shape in ((8,), (8,), (8,), (8,), (12, 8), (12,), (8, 12), (8,))]
    constants = [*range(1, 18), 19]
    for use_gelu in (False, True):
        for norm_first in (False, True):
            inputs = [x, np.int64(8), np.int64(2), *attention.parameters(8), np.bool_(use_gelu), np.bool_(norm_first), np.float64(1e-5), *rest]
            yield Case(f"gelu-{use_gelu}-first-{norm_first}", inputs=inputs, constants=constants, **attention.NEAR)
    mask, mask_type = attention.masks()["padding"]
    yield Case("mask", inputs=[*inputs, mask, np.int64(mask_type)], constants=constants, **attention.NEAR)

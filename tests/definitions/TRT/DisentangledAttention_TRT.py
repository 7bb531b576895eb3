# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::DisentangledAttention_TRT: DeBERTa's attention of contents and positions.

Source: GatherAddGatherTransposeAddMul_fused in plugin/disentangledAttentionPlugin/disentangledKernel.cu of TensorRT, with kDISENTANGLED_VERSION 2, as
disentangledAttentionPlugin.h has it in all releases that come with the plugin. Its logarithms are of float, and those of NumPy here, too.
"""
import numpy as np

from definition import Case


def column(distance, span):
    middle = span // 2
    bucket = distance
    if abs(distance) > middle:
        log_middle = np.log(np.float32(middle))
        step = np.float32(middle - 1) / (np.log(np.float32(2 * span - 1)) - log_middle) * np.float32(1 - 1e-7)
        far = int(np.ceil((np.log(np.float32(abs(distance))) - log_middle) * step)) + middle
        bucket = -far if distance < 0 else far
    return min(max(bucket + span, 0), 2 * span - 1)


def define(data0, data1, data2, span, factor, plugin_version="1", plugin_namespace=""):
    result = np.zeros_like(data0)
    factor = data0.dtype.type(factor)
    for j, k in np.ndindex(*data0.shape[1:]):
        at = column(j - k, span)
        parts = data0[:, j, k], data1[:, j, at], data2[:, k, at]
        sum_of_three = parts[0] + (parts[1] + parts[2]) if data0.dtype == np.float16 else parts[0] + parts[1] + parts[2]
        result[:, j, k] = sum_of_three * factor
    return result


def cases():
    rng = np.random.default_rng(44)

    def inputs(heads, length, span, dtype=np.float32):
        return [rng.standard_normal((heads, length, width)).astype(dtype) for width in (length, 2 * span, 2 * span)]

    fields = {"opsets": range(11, 27), "shapes": [("h", "s", "s"), ("h", "s", "w"), ("h", "s", "w")], "output_shapes": [("h", "s", "s")]}
    usual = {"span": 8, "factor": 0.125}
    yield Case("usual", inputs=inputs(2, 20, 8), attributes=usual, also=[inputs(1, 1, 8), inputs(1, 3, 8)], **fields)
    static = {**fields, "opsets": (11, 17), "shapes": "static"}
    yield Case("default-domain", domain="ai.onnx", inputs=inputs(2, 20, 8), attributes={**usual, "plugin_version": "2"}, **static)
    half = {"rtol": 2e-3, "atol": 2e-3, "why": "ONNX Runtime rounds to float16 at the end only, and the plugin after each operation."}
    yield Case("float16", inputs=inputs(2, 20, 8, np.float16), attributes=usual, **half, **fields)
    few = {**fields, "opsets": (13,)}
    for span in (2, 3, 5, 7, 33):
        yield Case(f"span-{span}", inputs=inputs(1, 6 * span + 3, span), attributes={"span": span, "factor": 0.3}, **few)
    yield Case("span-256", inputs=inputs(1, 600, 256), attributes={"span": 256, "factor": 0.05}, **few)
    yield Case("span-1", inputs=inputs(1, 4, 1), attributes={"span": 1, "factor": 0.05}, refuse="its span is 1", **few)
    yield Case("width", inputs=inputs(1, 4, 3), attributes={"span": 4, "factor": 0.05}, refuse="and not twice its span, 4", **{**few, "shapes": "static"})

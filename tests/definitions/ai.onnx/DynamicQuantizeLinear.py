# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::DynamicQuantizeLinear: numbers in 8 bits, with the scale and zero point of their own range.

Source: ONNX DynamicQuantizeLinear-11; ONNX Runtime's GetQuantizationParameter, which takes 1 for the scale of nothing but zeros, and the last zero
point where the scale rounds to 0.
"""
import numpy as np

from definition import Case


def define(x):
    least, greatest = np.float32(min(x.min(initial=0), 0)), np.float32(max(x.max(initial=0), 0))
    with np.errstate(over="ignore"):
        scale = (greatest - least) / np.float32(255) if greatest > least else np.float32(1)
    zero_point = np.clip(np.rint(np.float32(0) - least / scale), 0, 255) if scale > 0 else 255
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.rint(x / scale)
    return np.clip(steps + zero_point, 0, 255).astype(np.uint8), np.float32(scale), np.uint8(zero_point)


def cases():
    x = np.random.default_rng(40).normal(size=(3, 4)).astype(np.float32)
    known = {"opsets": range(8, 27)}
    yield Case("numbers", inputs=[x], also=[[np.abs(x)], [-np.abs(x)], [x[:1]]], **known)
    # ONNX Runtime's kernel is what these mean; OpenVINO has no other scale than 0 for them.
    other = {"openvino": "it divides by a scale of 0"}
    yield Case("zeros", inputs=[np.zeros((2, 3), np.float32)], also=[[np.full((1, 2), -0.0, np.float32)], [np.zeros((0, 3), np.float32)]], cannot=other, **known)
    yield Case("least", inputs=[np.full((2, 3), 1e-45, np.float32)], also=[[np.full((2, 3), 1e-38, np.float32)]], cannot=other, **known)
    yield Case("greatest", inputs=[np.float32([[3e38, 1]])], also=[[np.float32([[-3e38, 1]])]], **known)

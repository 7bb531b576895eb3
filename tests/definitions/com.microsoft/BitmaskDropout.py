# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BitmaskDropout at inference: data, and a mask of bits that are all set.

Source: ONNX Runtime's core/providers/cuda/nn/dropout.cc.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, ratio=None, training_mode=None, seed=0):
    return data, np.full((data.size + 31) // 32, 2**32 - 1, np.uint32)


def cases():
    numbers = _random.Numbers()
    data = numbers.floats(2, 3, 7)
    narrow = {"openvino": "it has uint32 only up to 2^31 - 1"}
    unused = {"openvino": "it drops inputs that nothing uses"}
    yield Case("plain", inputs=[data], also=[[data[:0]], [numbers.floats(4, 4, 4)]], cannot=narrow)
    yield Case("ratio", inputs=[data, np.float32(0.5)], attributes={"seed": 7}, cannot=unused)
    yield Case("not-training", inputs=[data, np.float32(0.5), np.bool_(False)], constants=[1, 2], cannot=narrow)
    yield Case("no-mask", inputs=[data.astype(np.float16)], outputs=1, define=lambda data: data)
    yield Case("training", inputs=[data, np.float32(0.5), np.bool_(True)], refuse="training_mode")

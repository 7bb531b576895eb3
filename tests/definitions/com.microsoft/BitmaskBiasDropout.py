# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BitmaskBiasDropout at inference: data + bias (+ residual), and a mask of bits that are all set.

Source: ONNX Runtime's contrib_ops/cuda/math/bias_dropout.cc.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, bias, residual=None, ratio=None, training_mode=None, seed=0):
    output = data + bias if residual is None else data + bias + residual
    return output, np.full((data.size + 31) // 32, 2**32 - 1, np.uint32)


def cases():
    numbers = _random.Numbers()
    data, bias, residual = numbers.floats(2, 5, 4), numbers.floats(4), numbers.floats(2, 5, 4)
    narrow = {"openvino": "it has uint32 only up to 2^31 - 1"}
    yield Case("residual", inputs=[data, bias, residual], cannot=narrow)
    yield Case("bias", inputs=[data, bias, None, np.float32(0.5)], constants=[3], attributes={"seed": 7}, cannot=narrow)
    yield Case("not-training", inputs=[data, bias, residual, np.float32(0.5), np.bool_(False)], constants=[3, 4], cannot=narrow)
    yield Case("training", inputs=[data, bias, residual, np.float32(0.5), np.bool_(True)], constants=[3, 4], refuse="training_mode")

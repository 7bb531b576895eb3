# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::BiasDropout at inference: data + bias (+ residual).

Source: ONNX Runtime's contrib operator BiasDropout.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(data, bias, residual=None, ratio=None, training_mode=None, seed=0):
    return data + bias if residual is None else data + bias + residual


def cases():
    numbers = _random.Numbers()
    data, bias, residual = numbers.floats(2, 3, 4), numbers.floats(4), numbers.floats(2, 3, 4)
    yield Case("residual", inputs=[data, bias, residual])
    unused = {"openvino": "it drops inputs that nothing uses"}
    yield Case("ratio", inputs=[data, bias, residual, np.float32(0.5)], attributes={"seed": 7}, cannot=unused)
    yield Case("no-residual", inputs=[data, bias, None, np.float32(0.5)], cannot=unused)
    yield Case("training", inputs=[data, bias, residual, np.float32(0.5), np.bool_(True)], refuse="training_mode")

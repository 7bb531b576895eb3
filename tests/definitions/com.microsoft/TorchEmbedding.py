# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::TorchEmbedding: the rows of weight at the indices.

Source: ONNX Runtime's contrib operator TorchEmbedding.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(weight, indices, padding_idx=None, scale_grad_by_freq=None):
    return weight[indices]


def cases():
    numbers = _random.Numbers()
    weight, indices = numbers.floats(10, 4), numbers.integers(0, 10, 2, 3)
    yield Case("two-inputs", inputs=[weight, indices])
    yield Case("all", inputs=[weight, indices, np.int64(3), np.bool_(False)], cannot={"openvino": "it drops inputs that nothing uses"})

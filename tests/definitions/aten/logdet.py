# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::logdet: the logarithm of the determinant, NaN where that is negative.

Source: PyTorch's documentation of torch.logdet.
"""
import numpy as np

from definition import Case


def define(x):
    return np.asarray(np.log(np.linalg.det(np.float64(x))), x.dtype)


def cases():
    x = np.float32([[[2, 1], [1, 3]], [[1, 2], [3, 1]], [[4, 0], [0, 0.5]]])
    near = {"rtol": 1e-5, "atol": 1e-6, "why": "elimination in float", "shapes": "static", "opsets": range(11, 27), "cannot": {"openvino": "it has no Det"}}
    yield Case("matrices", inputs=[x], **near)
    yield Case("one", inputs=[x[0]], **near)

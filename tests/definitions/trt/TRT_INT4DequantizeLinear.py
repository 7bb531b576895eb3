# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""trt::TRT_INT4DequantizeLinear: integers of 4 bits times their scales.

Source: NVIDIA's modelopt, which writes the node where it would write ONNX's DequantizeLinear otherwise.
"""
import ml_dtypes
import numpy as np

from definition import Case, definition_of

define = definition_of("ai.onnx", "DequantizeLinear").define


def cases():
    codes = np.arange(-8, 8).reshape(4, 4).astype(ml_dtypes.int4)
    scales = np.float32([[0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4]])
    four = {"constants": [0, 1], "opsets": range(21, 27)}
    yield Case("blocks", inputs=[codes, scales], attributes={"axis": 0, "block_size": 2}, **four)
    yield Case("blocks-of-last-axis", inputs=[codes, scales.T.copy()], attributes={"axis": -1, "block_size": 2}, **four)
    yield Case("axis", inputs=[codes, scales[0]], attributes={"axis": 1}, **four)

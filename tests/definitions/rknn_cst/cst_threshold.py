# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""rknn_cst::cst_threshold: another name for rknn_cst::cstThreshold.

Source: torch.nn.functional.threshold, whose export the operator is.
"""
import numpy as np

from definition import Case, definition_of

_same = definition_of("rknn_cst", "cstThreshold")
define = _same.define


def cases():
    for spelling, attributes in _same.SPELLINGS.items():
        for dtype in ("float32", "float16", "int64"):
            yield Case(f"{spelling}-{dtype}", inputs=[np.array([-3, 0, 1, 30]).astype(dtype)], attributes=attributes(0.1, 20.0), opsets=(9, 12, 15, 26))
    yield Case("inputs", inputs=[np.float32([-3, 0, 1, 30]), np.float64(0.1), np.float64(20)], constants=[1, 2], define=_same.define_with_inputs, opsets=(9, 12, 15, 26))
    yield Case("lost", inputs=[np.float32([1])], opsets=(12,), refuse="--set")

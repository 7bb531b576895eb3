# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::threshold_: aten::threshold in place.

Source: PyTorch's documentation of torch.nn.functional.threshold_.
"""
import numpy as np

from definition import Case, definition_of

define = definition_of("aten", "threshold").define


def cases():
    yield Case("float32", inputs=[np.float32([-1, 0.1, 2, np.nan]), np.float64(0.1), np.float64(20)], constants=[1, 2], opsets=(9, 15, 26))

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Numbers of 8 and 16 bits, which arithmetic takes from 14 on."""
import numpy as np

from definition import Case


def cases():
    for dtype in (np.int8, np.uint8, np.int16, np.uint16):
        limits = np.iinfo(dtype)
        a = np.array([[limits.min, limits.max, 0, 7], [100, 3, 1, limits.max // 2]], dtype)
        b = np.array([limits.max, 2, 5, 3], dtype)
        cannot = {"openvino": "it does not cut off what exceeds the type"}
        yield Case(f"{np.dtype(dtype)}", inputs=[a, b], written_for=14, cannot=cannot)
        small = np.array([[1, 12], [9, 6]], dtype)
        yield Case(f"{np.dtype(dtype)}-small", inputs=[small, np.array([[1], [3]], dtype)], written_for=14)
        if limits.min < 0:
            yield Case(f"{np.dtype(dtype)}-negative", inputs=[small, np.array([[-1], [4]], dtype)], written_for=14)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Pow: powers, in the type of the base.

Source: ONNX Pow-12. Of integers the fraction goes.
"""
import numpy as np

from definition import Case


def define(x, y):
    power = np.power(x.astype(np.float64), y.astype(np.float64))
    return power.astype(x.dtype)


def cases():
    for base in (np.int32, np.int64, np.float32, np.float64):
        for exponent in (np.int32, np.int64, np.float32, np.float64):
            if base == exponent and base in (np.float32, np.float64):
                continue
            x, y = np.array([[1, 2, 3], [-2, 7, 10]], base), np.array([0, 2, 3], exponent)
            yield Case(f"{np.dtype(base)}-{np.dtype(exponent)}", inputs=[x, y], written_for=13, rtol=1e-6, why="Single precision differs in the last bits.")
    yield Case("root", inputs=[np.int32([0, 1, 4, 10]), np.float32(0.5)], written_for=13)
    yield Case("negative-exponent", inputs=[np.int64([1, 2, -1]), np.int32(-1)], written_for=13, cannot={"openvino": "it rounds the fraction another way"})

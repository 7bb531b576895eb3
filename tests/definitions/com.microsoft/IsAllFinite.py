# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::IsAllFinite: whether all elements of all inputs are finite.

Source: ONNX Runtime's orttraining/training_ops/cpu/math/isfinite.cc.
"""
import numpy as np

from definition import Case


def define(*inputs, isinf_only=0, isnan_only=0):
    test = np.isinf if isinf_only else np.isnan if isnan_only else lambda x: ~np.isfinite(x)
    return np.bool_(not any(test(x.astype(np.float64)).any() for x in inputs))


def cases():
    plain = np.float32([[1, -2], [3e38, 0]])
    nan, infinite = np.float32([[np.nan, 1]]), np.float32([[1, -np.inf]])
    for name, attributes in (("both", {}), ("inf", {"isinf_only": 1}), ("nan", {"isnan_only": 1})):
        yield Case(f"one-{name}", inputs=[plain], attributes=attributes, also=[[nan], [infinite], [plain[:0]]])
        yield Case(f"three-{name}", inputs=[plain, plain, nan], attributes=attributes, also=[[plain, infinite, plain], [plain, plain, plain]])
    yield Case("eight", inputs=[plain] * 8, also=[[plain] * 7 + [nan]])
    yield Case("half", inputs=[np.float16([[1, np.inf]])], also=[[np.float16([[1, 2]])]])
    yield Case("double", inputs=[np.float64([1, 2])], shapes="static")
    yield Case("contradiction", inputs=[plain], attributes={"isinf_only": 1, "isnan_only": 1}, refuse="isinf_only")

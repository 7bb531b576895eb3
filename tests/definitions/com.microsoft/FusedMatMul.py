# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::FusedMatMul: alpha * A' * B', where transBatch moves a matrix's first dimension behind its batch dimensions and trans
then swaps the last two.

Source: ONNX Runtime's contrib operator FusedMatMul.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _operand(value, trans, batch):
    if value.ndim < 2:
        return value
    if batch:
        value = np.moveaxis(value, 0, -2)
    return value.swapaxes(-1, -2) if trans else value


def define(a, b, alpha=1.0, transA=0, transB=0, transBatchA=0, transBatchB=0):
    product = _operand(a, transA, transBatchA).astype(np.float64) @ _operand(b, transB, transBatchB).astype(np.float64)
    return (alpha * product).astype(a.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-5, "why": _random.FLOAT_WHY}
    for trans_a in (0, 1):
        for trans_b in (0, 1):
            a = numbers.floats(2, 4, 3) if trans_a else numbers.floats(2, 3, 4)
            b = numbers.floats(5, 4) if trans_b else numbers.floats(4, 5)
            attributes = {"transA": trans_a, "transB": trans_b, "alpha": 0.125}
            yield Case(f"trans-{trans_a}{trans_b}", inputs=[a, b], attributes=attributes, **tolerance)
    # The logical operands are (2, 3, 4) and (2, 4, 5); the first dimension stands before the batch dimension.
    for trans in (0, 1):
        a = numbers.floats(4, 2, 3) if trans else numbers.floats(3, 2, 4)
        b = numbers.floats(5, 2, 4) if trans else numbers.floats(4, 2, 5)
        attributes = {"transA": trans, "transB": trans, "transBatchA": 1, "transBatchB": 1}
        yield Case(f"batch-{trans}", inputs=[a, b], attributes=attributes, **tolerance)
    yield Case("plain", inputs=[numbers.floats(2, 3, 4), numbers.floats(4, 5)], **tolerance)
    yield Case("vector", inputs=[numbers.floats(4), numbers.floats(4, 3)], attributes={"transA": 1}, **tolerance)
    half = [numbers.floats(3, 4, dtype=np.float16), numbers.floats(5, 4, dtype=np.float16)]
    yield Case("float16", inputs=half, attributes={"transB": 1, "alpha": 0.5}, rtol=1e-2, atol=1e-2, why="float16 has eleven bits")
    unknown = [numbers.floats(3, 4), numbers.floats(5, 4)]
    # A matrix of unknown rank is transposed by Einsum, which is as old as opset 12.
    yield Case("unranked", inputs=unknown, attributes={"transB": 1}, shapes="unranked", opsets=range(12, 27),
               cannot={"openvino": "it wants to know the rank"}, **tolerance)
    yield Case("unranked-batch", inputs=unknown, attributes={"transBatchB": 1}, shapes="unranked", refuse="the rank of B is not known")

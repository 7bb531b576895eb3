# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ReduceLogSumExp: the logarithm of the sum of the exponentials along axes.

Source: ONNX ReduceLogSumExp-11, ReduceLogSumExp-18.
"""
import numpy as np

from definition import Case, definition_of

reductions = definition_of("ai.onnx", "_reductions")


def reduce(x, axes, keep):
    # Long doubles have an exponential of what doubles have none of.
    return np.log(np.sum(np.exp(x.astype(np.longdouble)), axes, keepdims=keep))


define = reductions.definition(reduce)


def cases():
    yield from reductions.cases_with(18, reduce, noop=False)
    # Integers are cut off.
    cut_off = lambda data, axes, keepdims=1: data.max(tuple(axes), keepdims=bool(keepdims)) + np.log(np.exp(np.float64(data - data.max(tuple(axes), keepdims=True))).sum(tuple(axes), keepdims=bool(keepdims))).astype(data.dtype)
    for keep in (0, 1):
        for dtype in (np.int64, np.int32):
            numbers = dtype([[94906265, 94906265], [-70000, -70001]])
            yield Case(f"{np.dtype(dtype)}-{keep}", inputs=[numbers, np.int64([1])], attributes={"keepdims": keep}, define=cut_off, written_for=18, opsets=range(9, 18), cannot={"openvino": "it computes integers as float"})
        numbers = np.int64([[2**53 + 1, 2**53 + 1, 0], [-(2**53) - 1, -(2**54), -(2**54)]])
        yield Case(f"int64-of-many-digits-{keep}", inputs=[numbers, np.int64([1])], attributes={"keepdims": keep}, define=cut_off, written_for=18, opsets=range(9, 18), cannot={"openvino": "it computes integers as float"})
    terms = np.float32([[1000, 1001, 999], [-1000, -1001, -1002], [-np.inf, -np.inf, -np.inf], [np.inf, 1, -np.inf]])
    near = {"rtol": 2e-6, "why": reductions.WHY}
    for keep in (0, 1):
        yield Case(f"of-large-terms-{keep}", inputs=[terms, np.int64([1])], constants=(1,), attributes={"keepdims": keep}, written_for=18, **near)
        yield Case(f"of-large-terms-along-computed-axes-{keep}", inputs=[terms, np.int64([1])], shapes=["static", "static"], attributes={"keepdims": keep}, written_for=18, **near)

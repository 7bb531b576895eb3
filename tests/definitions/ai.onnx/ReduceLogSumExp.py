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
    terms = np.float32([[1000, 1001, 999], [-1000, -1001, -1002], [-np.inf, -np.inf, -np.inf], [np.inf, 1, -np.inf]])
    near = {"rtol": 2e-6, "why": reductions.WHY}
    for keep in (0, 1):
        yield Case(f"of-large-terms-{keep}", inputs=[terms, np.int64([1])], constants=(1,), attributes={"keepdims": keep}, written_for=18, **near)
        yield Case(f"of-large-terms-along-computed-axes-{keep}", inputs=[terms, np.int64([1])], shapes=["static", "static"], attributes={"keepdims": keep}, written_for=18, **near)

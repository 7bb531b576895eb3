# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::RouterGateUpProj: one product, of which the first columns are logits, and the others go through SwiGLU.

Source: ONNX Runtime's contrib operator RouterGateUpProj.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
_swiglu = definition_of("com.microsoft", "SwiGLU")


def define(x, w, router_size, activation="swiglu", **attributes):
    product = (x.astype(float) @ w.astype(float)).astype(x.dtype)
    return product[..., :router_size], _swiglu.define(product[..., router_size:], **attributes)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 4e-3, "atol": 4e-3, "why": "the product is rounded to half precision, after sums in another order"}
    inputs = [numbers.floats(2, 3, 8, dtype=np.float16), (numbers.floats(8, 11) / 3).astype(np.float16)]
    yield Case("usual", inputs=inputs, attributes={"router_size": 5}, **tolerance)
    attributes = {"router_size": 1, "activation": "swiglu", "activation_alpha": 1.702, "activation_beta": 1.0, "limit": 1.0}
    yield Case("limited", inputs=inputs, attributes=attributes, shapes="static", **tolerance)
    yield Case("other", inputs=inputs, attributes={"router_size": 5, "activation": "geglu"}, opsets=(18,), refuse='activation is "geglu", not "swiglu"')

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::SwiGLU: g * sigmoid(alpha * g) * (u + beta), with both kept within a limit.

Source: ONNX Runtime's contrib operator SwiGLU.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(gate, up=None, activation_alpha=1.0, activation_beta=0.0, limit=0.0, round_activation=0):
    if up is None:
        gate, up = np.split(gate, 2, -1)
    g, u = gate.astype(float), up.astype(float)
    if limit > 0:
        g, u = np.minimum(g, limit), np.clip(u, -limit, limit)
    activated = g / (1 + np.exp(-activation_alpha * g))
    if round_activation:
        activated = activated.astype(gate.dtype).astype(float)
    return (activated * (u + activation_beta)).astype(gate.dtype)


def cases():
    numbers = _random.Numbers()
    tolerance = {"rtol": 1e-5, "atol": 1e-6, "why": _random.FLOAT_WHY}
    gate, up = 3 * numbers.floats(2, 3, 4), 3 * numbers.floats(2, 3, 4)
    settings = {"usual": {}, "gpt-oss": {"activation_alpha": 1.702, "activation_beta": 1.0, "limit": 2.5}, "rounded": {"round_activation": 1}, "unlimited": {"limit": -1.0}}
    for name, attributes in settings.items():
        yield Case(name, inputs=[gate, up], attributes=attributes, **tolerance)
        yield Case(f"{name}-both-halves", inputs=[np.concatenate([gate, up], -1)], attributes=attributes, **tolerance)
        half = {"rtol": 2e-3, "atol": 1e-3, "why": "the result is rounded to half precision"}
        yield Case(f"{name}-half", inputs=[gate.astype(np.float16), up.astype(np.float16)], attributes=attributes, **half)

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::ATen: the ATen operator that the attribute `operator` names.

Source: ONNX Runtime's contrib operator ATen.
"""
import numpy as np

from definition import Case, definition_of

def aten(operator, overload="", spelling=None, **case):
    attributes = {"operator": spelling or operator, "overload_name": overload}
    return Case(attributes=attributes, meaning={}, define=definition_of("aten", operator).define, opsets=(9, 12, 15, 21, 26), **case)


def cases():
    tolerance = {"rtol": 1e-6, "why": "The runtime's elementary functions round."}
    yield aten("asinh", name="asinh", inputs=[np.float32([0, 1, -1e19])], **tolerance)
    yield aten("asinh", spelling="aten::asinh", name="with-namespace", inputs=[np.float32([0, 1, -1e19])], **tolerance)
    yield aten("logit", spelling="special_logit", name="alias", inputs=[np.float32([0.25, 0.5]), None], **tolerance)
    yield aten("threshold", spelling="threshold_", name="in-place", inputs=[np.float32([-1, 3]), np.float64(0.5), np.float64(2)], constants=[1, 2])
    yield aten("copysign", "Tensor", name="overload", inputs=[np.float32([-1, 3]), np.float64(-2.5)], constants=[1])
    yield aten("trace", name="constants-as-nodes", inputs=[np.float32([[1, 2], [3, 4]])], constants_as="node")
    yield Case("unknown", inputs=[np.float32([1])], attributes={"operator": "no_such_operator", "overload_name": ""}, opsets=(12,), refuse="aten::no_such_operator")
    yield Case("nameless", inputs=[np.float32([1])], opsets=(12,), refuse="operator")

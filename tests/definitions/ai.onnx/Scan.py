# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Scan, of opset 8: sums along the sequences of a batch.

Source: ONNX Scan-8.
"""
import numpy as np
import onnx

from definition import Case

BODY = """
sum (float[n] total, float[n] element) => (float[n] next, float[n] result) {
  next = Add (total, element)
  result = Identity (next)
}
"""


def define(_, start, elements, *, backwards=False):
    elements = elements[:, ::-1] if backwards else elements
    sums = start[:, None] + np.cumsum(elements, 1)
    return sums[:, -1].astype(np.float32), sums.astype(np.float32)


def attributes(text, **others):
    return {"body": onnx.helper.make_attribute("body", onnx.parser.parse_graph(text)), "num_scan_inputs": 1, **others}


def cases():
    start, elements = np.float32([[1, 2], [3, 4], [0, -1]]), np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    nothing = {"openvino": "its CPU plugin allocates no memory for what a Scan gives"}
    for name, others, meaning in (("forwards", {}, {}), ("backwards", {"directions": [1]}, {"backwards": True})):
        for shapes in ("symbolic", "static"):
            yield Case(f"{name}-{shapes}", inputs=[None, start, elements], attributes=attributes(BODY, **others), meaning=meaning, shapes=shapes, written_for=8, cannot=nothing)
    yield Case("lengths", inputs=[np.int64([1, 2, 3]), start, elements], attributes=attributes(BODY), meaning={}, written_for=8, outputs=2, expected=[start, elements],
               opsets=[9], refuse="lengths of their own")

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Equal: a == b, false where one of them is NaN.

Source: ONNX Equal-11, Equal-19.
"""
import numpy as np

from definition import Case, definition_of

define = np.equal


def cases():
    yield from definition_of("ai.onnx", "_comparisons").cases_at(11)
    strings = {"opsets": range(11, 19), "written_for": 19, "cannot": {"openvino": "it has no strings"}}
    words = np.array([["a", "b", ""], ["ä", "a", "b "]], dtype=object)
    for name, other in (
        ("row", np.array(["a", "b", "b"], dtype=object)),
        ("column", np.array([["a"], ["b "]], dtype=object)),
        ("scalar", np.array("a", dtype=object)),
        ("nothing", np.empty((2, 0, 1, 3), dtype=object)),
    ):
        yield Case(f"strings-{name}", inputs=[words, other], shapes="static", **strings)
        yield Case(f"strings-{name}-of-any-shape", inputs=[other, words], **strings)

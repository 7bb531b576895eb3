# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::_upsample_bicubic2d_aa: images of another size, with what lies between the new pixels taken into account.

Source: PyTorch's kernel, whose filter is that of Pillow.
"""
from definition import definition_of

_antialiased = definition_of("aten", "_antialiased")


def _weight(distance):
    if distance < 1:
        return 1.5 * distance**3 - 2.5 * distance**2 + 1
    return -0.5 * distance**3 + 2.5 * distance**2 - 4 * distance + 2 if distance < 2 else 0.0


define = _antialiased.resizing(2, _weight)
cases = _antialiased.cases

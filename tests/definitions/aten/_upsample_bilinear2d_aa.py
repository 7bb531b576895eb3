# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::_upsample_bilinear2d_aa: images of another size, with what lies between the new pixels taken into account.

Source: PyTorch's kernel, whose filter is that of Pillow.
"""
from definition import definition_of

_antialiased = definition_of("aten", "_antialiased")


def _weight(distance):
    return max(0.0, 1 - distance)


define = _antialiased.resizing(1, _weight)
cases = _antialiased.cases

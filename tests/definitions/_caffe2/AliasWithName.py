# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::AliasWithName: its input.

Source: Caffe2's AliasWithName, as detectron2 exports it.
"""
import numpy as np

from definition import Case


def define(x, name="", is_backward=0):
    return x


def cases():
    yield Case("float", inputs=[np.float32([[1, np.nan]])], attributes={"name": "data", "is_backward": 0})
    yield Case("int64", inputs=[np.int64([3, -1])], attributes={"name": "im_info", "is_backward": 1})

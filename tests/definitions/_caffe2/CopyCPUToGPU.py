# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""_caffe2::CopyCPUToGPU: its input.

Source: Caffe2's CopyCPUToGPU, as detectron2 exports it.
"""
import numpy as np

from definition import Case


def define(x):
    return x


def cases():
    yield Case("float", inputs=[np.float32([[1, np.nan]])])
    yield Case("int64", inputs=[np.int64([3, -1])])

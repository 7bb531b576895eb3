# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ResizeNearest: another name for _caffe2::ResizeNearest.

Source: detectron2's exporter, as other releases of torch write it.
"""
from definition import definition_of

define = definition_of("_caffe2", "ResizeNearest").define
cases = definition_of("_caffe2", "ResizeNearest").cases

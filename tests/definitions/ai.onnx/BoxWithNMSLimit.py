# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BoxWithNMSLimit: another name for _caffe2::BoxWithNMSLimit.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("_caffe2", "BoxWithNMSLimit").define
cases = definition_of("_caffe2", "BoxWithNMSLimit").cases

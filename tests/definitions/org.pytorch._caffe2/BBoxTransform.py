# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""org.pytorch._caffe2::BBoxTransform: another name for _caffe2::BBoxTransform.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("_caffe2", "BBoxTransform").define
cases = definition_of("_caffe2", "BBoxTransform").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Xlog1py: another name for ai.onnx.converters.tensorflow::Xlog1py.

Source: what tf2onnx leaves where it has no ONNX operator for it.
"""
from definition import definition_of

define = definition_of("ai.onnx.converters.tensorflow", "Xlog1py").define
cases = definition_of("ai.onnx.converters.tensorflow", "Xlog1py").cases

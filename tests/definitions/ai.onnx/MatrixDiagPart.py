# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MatrixDiagPart: another name for ai.onnx.converters.tensorflow::MatrixDiagPart.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("ai.onnx.converters.tensorflow", "MatrixDiagPart").define
cases = definition_of("ai.onnx.converters.tensorflow", "MatrixDiagPart").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::Expm1: another name for aten::expm1.

Source: what tf2onnx leaves where it has no ONNX operator for it.
"""
from definition import definition_of

define = definition_of("aten", "expm1").define
cases = definition_of("aten", "expm1").cases

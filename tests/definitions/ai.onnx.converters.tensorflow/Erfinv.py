# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx.converters.tensorflow::Erfinv: another name for aten::erfinv.

Source: what tf2onnx leaves where it has no ONNX operator for it.
"""
from definition import definition_of

define = definition_of("aten", "erfinv").define
cases = definition_of("aten", "erfinv").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx.brevitas::FloatQuant: another name for qonnx.custom_op.general::FloatQuant.

Source: Brevitas' exporter.
"""
from definition import definition_of

define = definition_of("qonnx.custom_op.general", "FloatQuant").define
cases = definition_of("qonnx.custom_op.general", "FloatQuant").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""finn.custom_op.general::MultiThreshold: another name for qonnx.custom_op.general::MultiThreshold.

Source: what FINN called it before QONNX took it over.
"""
from definition import definition_of

define = definition_of("qonnx.custom_op.general", "MultiThreshold").define
cases = definition_of("qonnx.custom_op.general", "MultiThreshold").cases

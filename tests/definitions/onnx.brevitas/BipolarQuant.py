# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""onnx.brevitas::BipolarQuant: another name for qonnx.custom_op.general::BipolarQuant.

Source: what Brevitas and QONNX call it, by version.
"""
from definition import definition_of

define = definition_of("qonnx.custom_op.general", "BipolarQuant").define
cases = definition_of("qonnx.custom_op.general", "BipolarQuant").cases

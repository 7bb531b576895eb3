# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BesselI0e: another name for aten::special_i0e.

Source: what tf2onnx leaves where it has no ONNX operator for it.
"""
from definition import definition_of

define = definition_of("aten", "special_i0e").define
cases = definition_of("aten", "special_i0e").cases

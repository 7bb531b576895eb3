# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.vai.quantize::MXFixNeuron: another name for com.amd.quark::MXQuantizeDequantize.

Source: Vitis AI's quantizer, which became AMD's Quark.
"""
from definition import definition_of

define = definition_of("com.amd.quark", "MXQuantizeDequantize").define
cases = definition_of("com.amd.quark", "MXQuantizeDequantize").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.vai.quantize::BFPFixNeuron: another name for com.amd.quark::BFPQuantizeDequantize.

Source: Vitis AI's quantizer, which became AMD's Quark.
"""
from definition import definition_of

define = definition_of("com.amd.quark", "BFPQuantizeDequantize").define
cases = definition_of("com.amd.quark", "BFPQuantizeDequantize").cases

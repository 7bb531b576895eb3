# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::TRT_FP8DequantizeLinear: another name for trt::TRT_FP8DequantizeLinear.

Source: exporters that write the operator into this domain.
"""
from definition import definition_of

define = definition_of("trt", "TRT_FP8DequantizeLinear").define
cases = definition_of("trt", "TRT_FP8DequantizeLinear").cases

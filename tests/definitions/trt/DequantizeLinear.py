# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""trt::DequantizeLinear: another name for trt::TRT_INT4DequantizeLinear.

Source: NVIDIA's modelopt, in its newer releases.
"""
from definition import definition_of

define = definition_of("trt", "TRT_INT4DequantizeLinear").define
cases = definition_of("trt", "TRT_INT4DequantizeLinear").cases

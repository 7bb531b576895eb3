# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MultiscaleDeformableAttnPlugin_TRT: another name for TRT::MultiscaleDeformableAttnPlugin_TRT.

Source: exporters that write TensorRT's plugin into this domain.
"""
from definition import definition_of

define = definition_of("TRT", "MultiscaleDeformableAttnPlugin_TRT").define
cases = definition_of("TRT", "MultiscaleDeformableAttnPlugin_TRT").cases

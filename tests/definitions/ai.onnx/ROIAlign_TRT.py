# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::ROIAlign_TRT: another name for TRT::ROIAlign_TRT.

Source: exporters that write TensorRT's plugin into this domain.
"""
from definition import definition_of

define = definition_of("TRT", "ROIAlign_TRT").define
cases = definition_of("TRT", "ROIAlign_TRT").cases

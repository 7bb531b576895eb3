# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::InstanceNormalization_TRT: as in the default domain.

Source: TensorRT's instanceNormalizationPlugin; PyTorch exporters of detectors write such plugins into the domain TRT.
"""
from definition import definition_of

define = definition_of("ai.onnx", "InstanceNormalization_TRT").define
cases = definition_of("ai.onnx", "InstanceNormalization_TRT").cases

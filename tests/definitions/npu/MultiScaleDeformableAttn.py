# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""npu::MultiScaleDeformableAttn: another name for mmdeploy::MMCVMultiScaleDeformableAttention.

Source: Ascend's exporter.
"""
from definition import definition_of

define = definition_of("mmdeploy", "MMCVMultiScaleDeformableAttention").define
cases = definition_of("mmdeploy", "MMCVMultiScaleDeformableAttention").cases

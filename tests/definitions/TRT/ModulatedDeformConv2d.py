# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""TRT::ModulatedDeformConv2d: another name for mmdeploy::MMCVModulatedDeformConv2d.

Source: TensorRT's modulatedDeformConvPlugin.
"""
from definition import definition_of

define = definition_of("mmdeploy", "MMCVModulatedDeformConv2d").define
cases = definition_of("mmdeploy", "MMCVModulatedDeformConv2d").cases

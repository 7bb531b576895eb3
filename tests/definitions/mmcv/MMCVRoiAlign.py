# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""mmcv::MMCVRoiAlign: another name for mmdeploy::MMCVRoiAlign.

Source: mmcv's exporter, before mmdeploy.
"""
from definition import definition_of

define = definition_of("mmdeploy", "MMCVRoiAlign").define
cases = definition_of("mmdeploy", "MMCVRoiAlign").cases

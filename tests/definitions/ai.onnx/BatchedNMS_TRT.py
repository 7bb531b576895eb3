# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""BatchedNMS_TRT: BatchedNMSDynamic_TRT for networks with a fixed batch size.

Source: TensorRT's batchedNMSPlugin.
"""
from definition import definition_of

define = definition_of("ai.onnx", "BatchedNMSDynamic_TRT").define
cases = definition_of("ai.onnx", "BatchedNMSDynamic_TRT").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::FakeQuantizeDSQPertensor: another name for MQBench_custom::FakeQuantizeDSQPertensor.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("MQBench_custom", "FakeQuantizeDSQPertensor").define
cases = definition_of("MQBench_custom", "FakeQuantizeDSQPertensor").cases

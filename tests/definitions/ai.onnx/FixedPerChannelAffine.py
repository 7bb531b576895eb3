# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::FixedPerChannelAffine: another name for MQBench_custom::FixedPerChannelAffine.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("MQBench_custom", "FixedPerChannelAffine").define
cases = definition_of("MQBench_custom", "FixedPerChannelAffine").cases

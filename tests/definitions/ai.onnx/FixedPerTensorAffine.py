# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::FixedPerTensorAffine: another name for MQBench_custom::FixedPerTensorAffine.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("MQBench_custom", "FixedPerTensorAffine").define
cases = definition_of("MQBench_custom", "FixedPerTensorAffine").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::PillarScatterPlugin: another name for TRT::PillarScatterPlugin.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("TRT", "PillarScatterPlugin").define
cases = definition_of("TRT", "PillarScatterPlugin").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::PPScatterPlugin: another name for TRT::PPScatterPlugin.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("TRT", "PPScatterPlugin").define
cases = definition_of("TRT", "PPScatterPlugin").cases

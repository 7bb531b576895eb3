# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CustomGeluPluginDynamic: another name for TRT::CustomGeluPluginDynamic.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("TRT", "CustomGeluPluginDynamic").define
cases = definition_of("TRT", "CustomGeluPluginDynamic").cases

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CustomSkipLayerNormPluginDynamic: another name for TRT::CustomSkipLayerNormPluginDynamic.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("TRT", "CustomSkipLayerNormPluginDynamic").define
cases = definition_of("TRT", "CustomSkipLayerNormPluginDynamic").cases

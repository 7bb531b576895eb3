# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::CustomEmbLayerNormPluginDynamic: another name for TRT::CustomEmbLayerNormPluginDynamic.

Source: what exporters and converters write.
"""
from definition import definition_of

define = definition_of("TRT", "CustomEmbLayerNormPluginDynamic").define
cases = definition_of("TRT", "CustomEmbLayerNormPluginDynamic").cases

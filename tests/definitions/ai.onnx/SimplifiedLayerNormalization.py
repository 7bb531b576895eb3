# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""SimplifiedLayerNormalization: as in com.microsoft.

Source: ONNX Runtime's operator SimplifiedLayerNormalization, which stands in the default domain.
"""
from definition import definition_of

define = definition_of("com.microsoft", "SimplifiedLayerNormalization").define
cases = definition_of("com.microsoft", "SimplifiedLayerNormalization").cases

"""SimplifiedLayerNormalization: as in com.microsoft.

Source: ONNX Runtime's operator SimplifiedLayerNormalization, which stands in the default domain.
"""
from definition import definition_of

define = definition_of("com.microsoft", "SimplifiedLayerNormalization").define
cases = definition_of("com.microsoft", "SimplifiedLayerNormalization").cases

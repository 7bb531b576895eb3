"""aten::asinh: the inverse hyperbolic sine.

Source: PyTorch's documentation of torch.asinh.
"""
import numpy as np

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

define = _elementwise.rounded(np.arcsinh)


def cases():
    return _elementwise.unary_cases()

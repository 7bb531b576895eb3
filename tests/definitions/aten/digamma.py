# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::digamma: the derivative of lgamma; infinite at zero with the other sign, NaN at the negative integers.

Source: PyTorch's documentation of torch.digamma.
"""
import numpy as np
from scipy import special

from definition import definition_of

_elementwise = definition_of("aten", "_elementwise")

def digamma(x):
    value = special.digamma(x)
    value[(x < 0) & (x == np.floor(x))] = np.nan
    value[x == 0] = np.copysign(np.inf, -x[x == 0])
    return value


define = _elementwise.rounded(lambda x: digamma(np.atleast_1d(x)).reshape(x.shape))


def cases():
    return _elementwise.unary_cases([0.0, -0.0, 0.1, 0.5, 1, 1.5, 2, 9.9, 10.1, 100, 1e10, -0.5, -1, -2.5, -7.3, np.inf, np.nan], openvino=_elementwise.NO_NAN)

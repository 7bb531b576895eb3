# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""aten::linalg_inv: the inverses of matrices, as by com.microsoft::Inverse.

Source: PyTorch's documentation of torch.linalg.inv.
"""
from definition import definition_of

define = definition_of("com.microsoft", "Inverse").define
cases = definition_of("com.microsoft", "Inverse").cases
